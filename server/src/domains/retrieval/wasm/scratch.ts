import { RowMemory } from './row-functions.ts'

/** An array of 32-bit numbers in the memory of searches: addresses in bytes, without the `end`. */
export interface Column {
  start: number
  end: number
}

/**
 * Arrays for the time of one search, or of anything else that does not pause. All indexes share one memory in turn, which
 * is as large as the largest search so far has needed.
 */
export class Scratch {
  readonly #memory = new RowMemory()
  readonly functions = this.#memory.functions
  #used = 0

  /** Begins a search: what the one before has taken is free. */
  begin(): void {
    this.#used = 0
  }

  /** Room for so many numbers, all 0. */
  take(count: number): Column {
    const column = this.#room(4 * count)
    this.#used = column.end + 15 - ((column.end + 15) % 16)
    this.#memory.integers.fill(0, column.start / 4, this.#used / 4)
    return column
  }

  put(values: Float32Array | Uint32Array): Column {
    const column = this.take(values.length)
    this.#write(values, column)
    return column
  }

  /** `put` until the next time that anything is taken or lent. */
  lend(values: Float32Array | Uint32Array): Column {
    const column = this.#room(values.byteLength)
    this.#write(values, column)
    return column
  }

  #write(values: Float32Array | Uint32Array, { start }: Column): void {
    if (values instanceof Float32Array) this.#memory.floats.set(values, start / 4)
    else this.#memory.integers.set(values, start / 4)
  }

  /** So many numbers of those that are packed (see packed-numbers.ts), and how many bytes they took. */
  unpack(packed: Uint8Array, count: number): { values: Uint32Array<ArrayBuffer>; length: number } {
    const { start, end } = this.#room(4 * count + packed.length)
    const from = end - packed.length
    this.#memory.bytes.set(packed, from)
    const behind = this.functions.decodeNumbers(from, count, start)
    return { values: this.#memory.integers.slice(start / 4, start / 4 + count), length: behind - from }
  }

  /** Makes numbers 0 again. */
  clear({ start, end }: Column): void {
    this.#memory.integers.fill(0, start / 4, end / 4)
  }

  /** The numbers themselves, until more is taken. */
  floats({ start, end }: Column): Float32Array<ArrayBuffer> {
    return this.#memory.floats.subarray(start / 4, end / 4)
  }

  highest({ start, end }: Column, limit: number, compare: (a: number, b: number) => number): number[] {
    return this.#memory.highest(start, end, limit, compare)
  }

  #room(bytes: number): Column {
    const [start, end] = [this.#used, this.#used + bytes]
    // What the last column needs to be whole comes on top.
    if (end + 16 > this.#memory.bytes.length) this.#memory.reserve(Math.ceil(1.25 * end) + 16)
    return { start, end }
  }
}
