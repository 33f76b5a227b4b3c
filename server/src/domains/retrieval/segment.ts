import { detectLanguage, type Language, tokenize } from '../../lib/text.ts'

/** Raised when segments are read or made in another way; those of another format are made anew from the texts. */
export const segmentFormat = 1

/** What of a chunk is searched. */
export interface ChunkFields {
  text: string
  headingPath: readonly string[]
}

/**
 * The terms of one document's chunks. Term `i` has `counts[i]` postings; those of all terms lie behind one another in
 * `rows` (the chunk's place in the document, ascending) and `payloads` (see `packFrequencies`). Lengths are in terms.
 */
export interface Segment {
  /** The language whose words these are. */
  language: Language
  terms: readonly string[]
  counts: Uint32Array
  rows: Uint32Array
  payloads: Uint32Array
  bodyLengths: Uint32Array
  headingLengths: Uint32Array
  nameLength: number
}

const sampledChunks = 12
const bodyLimit = 0xffff
const headingUnit = 1 << 16
const nameUnit = 1 << 24
const fieldLimit = 0xff

/** How often a term is in a chunk's text (lowest 16 bits of a payload), its heading path (8), and the file name (8). */
export const bodyFrequency = (payload: number): number => payload & bodyLimit
export const headingFrequency = (payload: number): number => (payload >>> 16) & fieldLimit
export const nameFrequency = (payload: number): number => payload >>> 24

/** Tokenises a document's chunks; expensive for a long document (5 MB take half a second). */
export function segmentOf(filename: string, chunks: readonly ChunkFields[]): Segment {
  const language = languageOf(chunks)
  const name = tokenize(nameText(filename), language)
  const postings = new Map<string, number[]>()
  const bodyLengths = new Uint32Array(chunks.length)
  const headingLengths = new Uint32Array(chunks.length)
  for (const [row, chunk] of chunks.entries()) {
    const body = tokenize(chunk.text, language)
    const heading = tokenize(chunk.headingPath.join('\n'), language)
    bodyLengths[row] = body.length
    headingLengths[row] = heading.length
    const frequencies = new Map<string, number>()
    addFrequencies(frequencies, body, 1, bodyLimit)
    addFrequencies(frequencies, heading, headingUnit, fieldLimit)
    addFrequencies(frequencies, name, nameUnit, fieldLimit)
    for (const [term, payload] of frequencies) {
      const list = postings.get(term)
      if (list) list.push(row, payload)
      else postings.set(term, [row, payload])
    }
  }
  return { language, ...flatten(postings), bodyLengths, headingLengths, nameLength: name.length }
}

function flatten(
  postings: ReadonlyMap<string, number[]>,
): Pick<Segment, 'terms' | 'counts' | 'rows' | 'payloads'> {
  const counts = Uint32Array.from(postings.values(), (list) => list.length / 2)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const rows = new Uint32Array(total)
  const payloads = new Uint32Array(total)
  let at = 0
  for (const list of postings.values()) {
    for (let entry = 0; entry < list.length; entry += 2) {
      rows[at] = list[entry] ?? 0
      payloads[at++] = list[entry + 1] ?? 0
    }
  }
  return { terms: [...postings.keys()], counts, rows, payloads }
}

/** Chunks of a book may begin with a title page in another language, so the sample is taken from several. */
function languageOf(chunks: readonly ChunkFields[]): Language {
  const step = Math.ceil(chunks.length / sampledChunks)
  const sample = chunks.filter((_, index) => index % step === 0)
  return detectLanguage(sample.map(({ text }) => text).join('\n'))
}

/** A file name without its extension, as text. */
function nameText(filename: string): string {
  return filename.replace(/\.[^.\s]{1,8}$/, '').replace(/_/g, ' ')
}

/** Counts each term in the bit field that begins at `unit`, up to `limit`. */
function addFrequencies(
  frequencies: Map<string, number>,
  terms: readonly string[],
  unit: number,
  limit: number,
): void {
  for (const term of terms) {
    const packed = frequencies.get(term) ?? 0
    if (Math.floor(packed / unit) % (limit + 1) < limit) frequencies.set(term, packed + unit)
  }
}
