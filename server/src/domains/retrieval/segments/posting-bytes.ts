import { ByteReader, ByteWriter } from './packed-numbers.ts'

/**
 * Encodes the postings of terms. The list of a term alternates rows (positions of chunks in the document, ascending)
 * and packed frequencies. Rows are stored as differences, because small numbers take one byte. `decodePostings` in
 * `row-functions.wat` also reads this format.
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

/** Calls `each` for each posting; `counts` has the number of postings per term. */
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

/** One byte is enough for most terms, which occur only in the text and only a few times. */
function writeFrequencies(writer: ByteWriter, packed: number): void {
  const others = packed >>> 16
  writer.number((packed & 0xffff) * 2 + (others === 0 ? 0 : 1))
  if (others !== 0) writer.number(others)
}

function readFrequencies(reader: ByteReader): number {
  const first = reader.number()
  return first & 1 ? ((first >>> 1) | (reader.number() << 16)) >>> 0 : first >>> 1
}
