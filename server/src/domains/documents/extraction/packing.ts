import { newId } from '../../../lib/ids.ts'
import { type PackedRows, packRows, unpackRows } from '../../../lib/packed-rows.ts'
import type { ChunkFields } from '../../retrieval/index.ts'
import type { Chunk } from './chunking.ts'

/**
 * A text and its chunks as rows of the database, in the bytes of which they are written: megabytes that the event loop
 * neither reads nor keeps as text. Each element is what one transaction writes.
 */
export interface PackedText {
  /** Rows of `document_text_parts`: part, text. */
  parts: PackedRows[]
  /** Rows of `chunk_rows`: see `chunkColumns`. */
  chunks: PackedRows[]
  chunkCount: number
  /** Null for a file without pages. */
  pages: number | null
  /** In order, a space between them. */
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

/** Characters that are written at once: a few milliseconds of the writer's time. */
const lengthAtOnce = 192 * 1024
/** What a row and its indexes cost beside its text. */
const rowLength = 256

/** Gives the chunks their ids. `pages` is 0 for a file without any. */
export function packText(text: string, chunks: readonly Chunk[], pages: number): PackedText {
  const now = Date.now()
  const ids = chunks.map(() => newId('chk_', now))
  const described = { chunkCount: ids.length, pages: pages || null, chunkIds: ids.join(' ') }
  const packed: PackedText = { parts: [], chunks: [], ...described }
  for (const part of cut(text)) packed.parts.push(packRows([[packed.parts.length, part]]))
  let rows: unknown[][] = []
  let length = 0
  for (const [index, { order, start, end, page, headingPath, text: own }] of chunks.entries()) {
    const headings = JSON.stringify(headingPath)
    rows.push([ids[index], order, start, end, page, headings, own])
    length += rowLength + headings.length + own.length
    if (length < lengthAtOnce && index < chunks.length - 1) continue
    packed.chunks.push(packRows(rows))
    rows = []
    length = 0
  }
  return packed
}

function* cut(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + lengthAtOnce, text.length)
    // No database keeps half of a surrogate pair.
    if (to < text.length && /[\ud800-\udbff]/.test(text.charAt(to - 1))) to--
    yield text.slice(from, to)
    from = to
  }
}

export function textOf({ parts }: PackedText): string {
  return parts
    .map((part) =>
      unpackRows(part)
        .map(([, text]) => text)
        .join(''),
    )
    .join('')
}

/** What is searched of the chunks, in order. */
export function fieldsOf({ chunks }: PackedText): ChunkFields[] {
  return chunks.flatMap((packed) =>
    unpackRows(packed).map((row) => ({
      text: row[chunkColumns.indexOf('text')] as string,
      headingPath: JSON.parse(row[chunkColumns.indexOf('heading_path')] as string) as string[],
    })),
  )
}
