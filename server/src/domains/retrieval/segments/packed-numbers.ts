import type { Scratch } from '../wasm/index.ts'

/** Writes to a growing buffer. Numbers are unsigned integers of up to 32 bits in LEB128 (seven bits per byte). */
export class ByteWriter {
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
    this.rest(value)
  }

  /** Writes bytes without their length; they must be the last value. */
  rest(value: Uint8Array): void {
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

/** Reads the values of a `ByteWriter` in the same order. */
export class ByteReader {
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

  numbers(count: number, scratch: Scratch): Uint32Array {
    const { values, length } = scratch.unpack(this.#bytes.subarray(this.#at, this.#at + 5 * count), count)
    this.#at += length
    return values
  }

  /** Returns a view, not a copy. */
  bytes(): Uint8Array {
    const length = this.number()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  /** Returns a view of all unread bytes. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at)
  }
}
