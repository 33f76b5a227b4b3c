import { newId } from '../../../lib/ids.ts'
import { type PackedRows, packRows, unpackRows } from '../../../lib/packed-rows.ts'
import type { ChunkFields } from '../../retrieval/index.ts'
import type { Chunk } from './chunking.ts'

/**
 * A text and its chunks as packed database rows. They stay bytes until the database writer unpacks them, so the event
 * loop does not decode megabytes of text. One transaction writes at least one element of each list.
 */
export interface PackedText {
  /** Rows of `document_text_parts`: part, text. */
  parts: PackedRows[]
  /** Rows of `chunk_rows`: see `chunkColumns`. */
  chunks: PackedRows[]
  chunkCount: number
  /** Null for a file without pages. */
  pages: number | null
  /** Ids of the chunks in order, separated by spaces. */
  chunkIds: string
}

export const partColumns = ['part', 'text']
export const chunkColumns = [
  'chunk_id',
  'chunk_order',
  'start_offset',
  'end_offset',
  'page',
  'heading_path',
  'text',
]

/** Length of packed rows, in UTF-16 code units. Writing them occupies the database writer for a few milliseconds. */
const packedLength = 192 * 1024
/** Estimated size of a row and its indexes without its text. */
const rowOverhead = 256

/** Packs a text and its chunks, and assigns ids to the chunks. `pages` is 0 for a file without pages. */
export function packText(text: string, chunks: readonly Chunk[], pages: number): PackedText {
  const now = Date.now()
  const ids = chunks.map(() => newId('chk_', now))
  const described = { chunkCount: ids.length, pages: pages || null, chunkIds: ids.join(' ') }
  const packed: PackedText = { parts: [], chunks: [], ...described }
  for (const part of splitText(text)) packed.parts.push(packRows([[packed.parts.length, part]]))
  let rows: unknown[][] = []
  let length = 0
  for (const [index, { order, start, end, page, headingPath, text: chunkText }] of chunks.entries()) {
    const headings = JSON.stringify(headingPath)
    rows.push([ids[index], order, start, end, page, headings, chunkText])
    length += rowOverhead + headings.length + chunkText.length
    if (length < packedLength && index < chunks.length - 1) continue
    packed.chunks.push(packRows(rows))
    rows = []
    length = 0
  }
  return packed
}

function* splitText(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + packedLength, text.length)
    // Databases cannot store half of a surrogate pair.
    if (to < text.length && /[\ud800-\udbff]/.test(text.charAt(to - 1))) to--
    yield text.slice(from, to)
    from = to
  }
}

/** Unpacks the whole text. */
export function textOf({ parts }: PackedText): string {
  return parts
    .map((part) =>
      unpackRows(part)
        .map(([, text]) => text)
        .join(''),
    )
    .join('')
}

/** Unpacks the searchable fields of the chunks, in order. */
export function fieldsOf({ chunks }: PackedText): ChunkFields[] {
  return chunks.flatMap((packed) =>
    unpackRows(packed).map((row) => ({
      text: row[chunkColumns.indexOf('text')] as string,
      headingPath: JSON.parse(row[chunkColumns.indexOf('heading_path')] as string) as string[],
    })),
  )
}
