import type { Language } from '../../lib/text.ts'
import type { Segment } from './segment.ts'

/** Bytes that grow as they are written to. Numbers are unsigned and take seven bits a byte (LEB128). */
class ByteWriter {
  #bytes = new Uint8Array(4096)
  #used = 0

  number(value: number): void {
    if (this.#used + 5 > this.#bytes.length) this.#reserve(5)
    let rest = value
    while (rest > 127) {
      this.#bytes[this.#used++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.#used++] = rest
  }

  numbers(values: Uint32Array): void {
    for (const value of values) this.number(value)
  }

  bytes(value: Uint8Array): void {
    this.number(value.length)
    this.#reserve(value.length)
    this.#bytes.set(value, this.#used)
    this.#used += value.length
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#used)
  }

  #reserve(more: number): void {
    if (this.#used + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#used + more, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#used))
    this.#bytes = larger
  }
}

class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  number(): number {
    let byte = this.#bytes[this.#at++] ?? 0
    if (byte < 128) return byte
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = this.#bytes[this.#at++] ?? 0
      value |= (byte & 127) << shift
    }
    return value >>> 0
  }

  numbers(count: number): Uint32Array {
    const values = new Uint32Array(count)
    for (let index = 0; index < count; index++) values[index] = this.number()
    return values
  }

  /** A view, not a copy. */
  bytes(): Uint8Array {
    const length = this.number()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
}

/** A segment as it is stored: about a third of its size in memory. */
export function encodeSegment(segment: Segment): Uint8Array {
  const { language, terms, counts, rows, payloads, bodyLengths, headingLengths, nameLength } = segment
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
  let at = 0
  for (const count of counts) {
    // The first as it is, then the steps: small numbers take one byte.
    for (let entry = 0, last = 0; entry < count; entry++, at++) {
      const row = rows[at] ?? 0
      writer.number(row - last)
      writePayload(writer, payloads[at] ?? 0)
      last = row
    }
  }
  return writer.finish()
}

/** The reverse of `encodeSegment`. */
export function decodeSegment(encoded: Uint8Array): Segment {
  const decoding = decodeInSlices(encoded)
  for (;;) {
    const { done, value } = decoding.next()
    if (done) return value
  }
}

/** Entries of terms that are read between two pauses: about a millisecond. */
const entriesAtOnce = 50_000

/** `decodeSegment` with pauses: 5 MB of text take a twentieth of a second. */
export function* decodeInSlices(encoded: Uint8Array): Generator<void, Segment> {
  const reader = new ByteReader(encoded)
  const chunks = reader.number()
  const nameLength = reader.number()
  const language = Buffer.from(reader.bytes()).toString() as Language
  const bodyLengths = reader.numbers(chunks)
  const headingLengths = reader.numbers(chunks)
  const termCount = reader.number()
  const bytes = reader.bytes()
  const ends = endsOf(reader.numbers(termCount))
  const counts = reader.numbers(termCount)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const rows = new Uint32Array(total)
  const payloads = new Uint32Array(total)
  yield
  let at = 0
  for (let term = 0, pause = entriesAtOnce; term < termCount; term++) {
    if (at > pause) {
      yield
      pause = at + entriesAtOnce
    }
    const end = at + (counts[term] ?? 0)
    for (let row = 0; at < end; at++) {
      row += reader.number()
      rows[at] = row
      payloads[at] = readPayload(reader)
    }
  }
  return { language, terms: { bytes, ends }, counts, rows, payloads, bodyLengths, headingLengths, nameLength }
}

function lengthsOf(ends: Uint32Array): Uint32Array {
  return ends.map((end, index) => end - (index === 0 ? 0 : (ends[index - 1] as number)))
}

/** The reverse of `lengthsOf`, in place. */
function endsOf(lengths: Uint32Array): Uint32Array {
  for (let index = 1; index < lengths.length; index++) {
    lengths[index] = (lengths[index] as number) + (lengths[index - 1] as number)
  }
  return lengths
}

/** How many chunks a document has, from its encoded segment. */
export function chunkCountOf(encoded: Uint8Array): number {
  return new ByteReader(encoded).number()
}

/** Most terms are in the text alone and a few times only: then a byte will do. */
function writePayload(writer: ByteWriter, payload: number): void {
  const others = payload >>> 16
  writer.number((payload & 0xffff) * 2 + (others === 0 ? 0 : 1))
  if (others !== 0) writer.number(others)
}

function readPayload(reader: ByteReader): number {
  const first = reader.number()
  return first & 1 ? ((first >>> 1) | (reader.number() << 16)) >>> 0 : first >>> 1
}
