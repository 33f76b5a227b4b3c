import { detectLanguage, type Language, tokenize } from '../../../lib/text.ts'
import { encodePostings } from './posting-bytes.ts'
import { packTerms, type TermBytes } from './term-table.ts'

/**
 * Version of the stored format. Increase it when the encoding changes, or when the tokenizer makes other terms of the same
 * text. Segments of another version are rebuilt when the chat's index loads.
 */
export const segmentFormat = 1

/** The searchable fields of a chunk. */
export interface ChunkFields {
  text: string
  headingPath: readonly string[]
}

/**
 * The terms of one document's chunks. Term `i` has `counts[i]` postings; `postings` has the postings of all terms one
 * after the other (see `posting-bytes.ts`). Lengths count terms: per chunk for text and headings, once for the file name.
 */
export interface Segment {
  /** The language whose stemmer made the terms. */
  language: Language
  terms: TermBytes
  counts: Uint32Array
  postings: Uint8Array
  bodyLengths: Uint32Array
  headingLengths: Uint32Array
  nameLength: number
}

const maxSampledChunks = 12
const bodyLimit = 0xffff
const headingUnit = 1 << 16
const nameUnit = 1 << 24
const fieldLimit = 0xff

/**
 * The packed frequencies of a posting have 32 bits: frequency in the chunk's text (lowest 16 bits), its heading path
 * (8), and the file name (8). `row-functions.wat` also reads them; only it needs the file name's.
 */
export const bodyFrequency = (packed: number): number => packed & bodyLimit
export const headingFrequency = (packed: number): number => (packed >>> 16) & fieldLimit

/**
 * Tokenizes a document's chunks. 5 MB of text take half a second, so call it in a child process (see `storedSegment`).
 */
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
    for (const [term, packed] of frequencies) {
      const list = postings.get(term)
      if (list) list.push(row, packed)
      else postings.set(term, [row, packed])
    }
  }
  return {
    language,
    terms: packTerms([...postings.keys()]),
    counts: Uint32Array.from(postings.values(), (list) => list.length / 2),
    postings: encodePostings(postings.values()),
    bodyLengths,
    headingLengths,
    nameLength: name.length,
  }
}

/** Detects the language from chunks spread over the whole document, because a title page may have another language. */
function languageOf(chunks: readonly ChunkFields[]): Language {
  const step = Math.ceil(chunks.length / maxSampledChunks)
  const sample = chunks.filter((_, index) => index % step === 0)
  return detectLanguage(sample.map(({ text }) => text).join('\n'))
}

/** A file name as words: without its extension, and with spaces for underscores. */
function nameText(filename: string): string {
  return filename.replace(/\.[^.\s]{1,8}$/, '').replace(/_/g, ' ')
}

/** Increments the frequency of each term in one bit field, at most to `limit`. `unit` is 1 in this bit field. */
function addFrequencies(
  frequencies: Map<string, number>,
  terms: readonly string[],
  unit: number,
  limit: number,
): void {
  for (const term of terms) {
    const packed = frequencies.get(term) ?? 0
    // Bit operators would make frequencies of the file name negative, because they convert to signed 32 bits.
    if (Math.floor(packed / unit) % (limit + 1) < limit) frequencies.set(term, packed + unit)
  }
}
