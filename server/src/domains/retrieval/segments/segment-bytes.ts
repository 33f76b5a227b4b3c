import type { Language } from '../../../lib/text.ts'
import type { Scratch } from '../wasm/index.ts'
import { ByteReader, ByteWriter } from './packed-numbers.ts'
import type { Segment } from './segment.ts'

/** Encodes a segment for the database; the result is about a third of its size in memory. */
export function encodeSegment(segment: Segment): Uint8Array {
  const { language, terms, counts, postings, bodyLengths, headingLengths, nameLength } = segment
  const writer = new ByteWriter()
  writer.number(bodyLengths.length)
  writer.number(nameLength)
  writer.bytes(Buffer.from(language))
  writer.numbers(bodyLengths)
  writer.numbers(headingLengths)
  writer.number(counts.length)
  writer.bytes(terms.bytes)
  writer.numbers(lengthsOf(terms.ends))
  writer.numbers(counts)
  writer.rest(postings)
  return writer.finish()
}

/** The inverse of `encodeSegment`. The postings stay encoded, as a view of the bytes. */
export function decodeSegment(encoded: Uint8Array, scratch: Scratch): Segment {
  const reader = new ByteReader(encoded)
  const chunks = reader.number()
  const nameLength = reader.number()
  const language = Buffer.from(reader.bytes()).toString() as Language
  const bodyLengths = reader.numbers(chunks, scratch)
  const headingLengths = reader.numbers(chunks, scratch)
  const termCount = reader.number()
  const bytes = reader.bytes()
  const ends = endsOf(reader.numbers(termCount, scratch))
  const counts = reader.numbers(termCount, scratch)
  const terms = { bytes, ends }
  return { language, terms, counts, postings: reader.rest(), bodyLengths, headingLengths, nameLength }
}

function lengthsOf(ends: Uint32Array): Uint32Array {
  return ends.map((end, index) => end - (index === 0 ? 0 : (ends[index - 1] as number)))
}

/** The inverse of `lengthsOf`; changes its argument. */
function endsOf(lengths: Uint32Array): Uint32Array {
  for (let index = 1; index < lengths.length; index++) {
    lengths[index] = (lengths[index] as number) + (lengths[index - 1] as number)
  }
  return lengths
}

/** Reads the number of chunks from an encoded segment. */
export function chunkCountOf(encoded: Uint8Array): number {
  return new ByteReader(encoded).number()
}
