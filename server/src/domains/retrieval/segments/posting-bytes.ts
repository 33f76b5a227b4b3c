import { ByteReader, ByteWriter } from './packed-numbers.ts'

/**
 * The postings of terms, each given as a list of rows (a chunk's place in the document), ascending, and packed frequencies:
 * the first row as it is, then the steps, since small numbers take one byte. `decodePostings` in `row-functions.wat` reads
 * them as well.
 */
export function encodePostings(lists: Iterable<readonly number[]>): Uint8Array {
  const writer = new ByteWriter()
  for (const list of lists) {
    for (let entry = 0, last = 0; entry < list.length; entry += 2) {
      const row = list[entry] ?? 0
      writer.number(row - last)
      writeFrequencies(writer, list[entry + 1] ?? 0)
      last = row
    }
  }
  return writer.finish()
}

/** Calls back for each posting of terms that have so many of them each. */
export function eachPosting(
  { counts, postings }: { counts: Uint32Array; postings: Uint8Array },
  each: (term: number, row: number, packed: number) => void,
): void {
  const reader = new ByteReader(postings)
  for (const [term, count] of counts.entries()) {
    for (let entry = 0, row = 0; entry < count; entry++) {
      row += reader.number()
      each(term, row, readFrequencies(reader))
    }
  }
}

/** Most terms are in the text alone and a few times only: then a byte will do. */
function writeFrequencies(writer: ByteWriter, packed: number): void {
  const others = packed >>> 16
  writer.number((packed & 0xffff) * 2 + (others === 0 ? 0 : 1))
  if (others !== 0) writer.number(others)
}

function readFrequencies(reader: ByteReader): number {
  const first = reader.number()
  return first & 1 ? ((first >>> 1) | (reader.number() << 16)) >>> 0 : first >>> 1
}
