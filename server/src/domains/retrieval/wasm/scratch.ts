import { RowMemory } from './row-functions.ts'

/** An array of 32-bit numbers in scratch memory: addresses in bytes, `end` is exclusive. */
export interface Column {
  start: number
  end: number
}

/**
 * Allocates arrays for one search, or for other synchronous work. All indexes use the same memory one after the
 * other. It grows to the size that the largest search needed.
 */
export class Scratch {
  readonly #memory = new RowMemory()
  readonly functions = this.#memory.functions
  #used = 0

  /** Frees all columns. Call it at the start of a search. */
  reset(): void {
    this.#used = 0
  }

  /** Allocates a column of `count` zeros. */
  allocate(count: number): Column {
    const column = this.#reserve(4 * count)
    this.#used = column.end + 15 - ((column.end + 15) % 16)
    this.#memory.integers.fill(0, column.start / 4, this.#used / 4)
    return column
  }

  /** Allocates a column with these values. */
  allocateCopy(values: Float32Array | Uint32Array): Column {
    const column = this.allocate(values.length)
    this.#write(values, column)
    return column
  }

  /** Copies values to a column that is only valid until the next allocation or copy. */
  copyTemporarily(values: Float32Array | Uint32Array): Column {
    const column = this.#reserve(values.byteLength)
    this.#write(values, column)
    return column
  }

  #write(values: Float32Array | Uint32Array, { start }: Column): void {
    if (values instanceof Float32Array) this.#memory.floats.set(values, start / 4)
    else this.#memory.integers.set(values, start / 4)
  }

  /** Decodes the first `count` packed numbers (see packed-numbers.ts); `length` is their size in bytes. */
  unpack(packed: Uint8Array, count: number): { values: Uint32Array<ArrayBuffer>; length: number } {
    const { start, end } = this.#reserve(4 * count + packed.length)
    const from = end - packed.length
    this.#memory.bytes.set(packed, from)
    const behind = this.functions.decodeNumbers(from, count, start)
    return { values: this.#memory.integers.slice(start / 4, start / 4 + count), length: behind - from }
  }

  /** Sets all numbers to 0. */
  clear({ start, end }: Column): void {
    this.#memory.integers.fill(0, start / 4, end / 4)
  }

  /** A view of the numbers, valid until the next allocation. */
  floats({ start, end }: Column): Float32Array<ArrayBuffer> {
    return this.#memory.floats.subarray(start / 4, end / 4)
  }

  highest({ start, end }: Column, limit: number, compare: (a: number, b: number) => number): number[] {
    return this.#memory.highest(start, end, limit, compare)
  }

  #reserve(bytes: number): Column {
    const [start, end] = [this.#used, this.#used + bytes]
    // 16 more bytes, because loops read whole blocks of 16 bytes.
    if (end + 16 > this.#memory.bytes.length) this.#memory.reserve(Math.ceil(1.25 * end) + 16)
    return { start, end }
  }
}
