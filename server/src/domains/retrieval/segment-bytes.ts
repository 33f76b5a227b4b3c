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

  text(value: string): void {
    const encoded = Buffer.from(value)
    this.number(encoded.length)
    this.#reserve(encoded.length)
    this.#bytes.set(encoded, this.#used)
    this.#used += encoded.length
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

  text(): string {
    const length = this.number()
    const { buffer, byteOffset } = this.#bytes
    this.#at += length
    return Buffer.from(buffer, byteOffset + this.#at - length, length).toString()
  }
}

/** Terms hold no white space. */
const separator = '\n'

/** A segment as it is stored: about a third of its size in memory. */
export function encodeSegment(segment: Segment): Uint8Array {
  const { language, terms, counts, rows, payloads, bodyLengths, headingLengths, nameLength } = segment
  const writer = new ByteWriter()
  writer.number(bodyLengths.length)
  writer.number(nameLength)
  writer.text(language)
  writer.numbers(bodyLengths)
  writer.numbers(headingLengths)
  writer.number(counts.length)
  writer.text(terms.join(separator))
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
export function decodeSegment(bytes: Uint8Array): Segment {
  const reader = new ByteReader(bytes)
  const chunks = reader.number()
  const nameLength = reader.number()
  const language = reader.text() as Language
  const bodyLengths = reader.numbers(chunks)
  const headingLengths = reader.numbers(chunks)
  const termCount = reader.number()
  const text = reader.text()
  const counts = reader.numbers(termCount)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const rows = new Uint32Array(total)
  const payloads = new Uint32Array(total)
  let at = 0
  for (let term = 0; term < termCount; term++) {
    const end = at + (counts[term] ?? 0)
    for (let row = 0; at < end; at++) {
      row += reader.number()
      rows[at] = row
      payloads[at] = readPayload(reader)
    }
  }
  const terms = termCount === 0 ? [] : text.split(separator)
  return { language, terms, counts, rows, payloads, bodyLengths, headingLengths, nameLength }
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
