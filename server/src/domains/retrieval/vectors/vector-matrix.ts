import { minPositiveScore, RowMemory } from '../wasm/index.ts'

/** The WebAssembly loop processes 32 numbers per step. */
const step = 32
/** Block size of the query's digits: the high digits of 16 numbers, then their low digits. */
const digitStep = 16
/** The query's numbers are quantized to integers of two 7-bit digits with at most this absolute value. */
const maxQueryUnits = 8191
/** A row's numbers are quantized to integers with at most this absolute value. */
const maxRowUnits = 127
/** Number of highest cosines that are computed exactly. */
const exactRows = 128

/**
 * Scales consecutive vectors of `dimensions` floats to length 1, except zero vectors. Changes and returns `vectors`.
 */
export function toUnitVectors(vectors: Float32Array, dimensions: number): Float32Array {
  for (let start = 0; start < vectors.length; start += dimensions) {
    const end = Math.min(start + dimensions, vectors.length)
    let squares = 0
    for (let at = start; at < end; at++) squares += (vectors[at] as number) ** 2
    const length = Math.sqrt(squares)
    if (length > 0) for (let at = start; at < end; at++) vectors[at] = (vectors[at] as number) / length
  }
  return vectors
}

/**
 * Unit vectors by row, and their cosines with a query vector. All rows are compared as 8-bit integers, which take a
 * quarter of the memory bandwidth of floats. Rows that may be among the best are then computed exactly with floats. A
 * row without a vector has zeros.
 *
 * Memory layout: a vector of floats, the digits of a query, and then, each for the whole capacity: the rows as
 * integers, the cosines, and the rows as floats.
 */
export class VectorMatrix {
  readonly dimensions: number
  /** Numbers per row: `dimensions` rounded up to whole steps. */
  readonly #width: number
  readonly #memory = new RowMemory()
  /** Upper bound of the absolute values of all rows. */
  #maxAbsolute = 0
  #rows = 0
  /** Capacity in rows. */
  #capacity = 0

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.#width = Math.ceil(dimensions / step) * step
  }

  get rows(): number {
    return this.#rows
  }

  get bytes(): number {
    return this.#memory.bytes.length
  }

  /** Adds rows without vectors at the end. */
  append(rows: number): void {
    const from = this.#rows
    const isFresh = this.#capacity === 0
    this.#rows += rows
    if (this.#rows > this.#capacity) this.#grow(from === 0 ? rows : Math.ceil(1.25 * this.#rows))
    if (isFresh) return
    // The memory may contain old data of removed or moved rows.
    this.#memory.bytes.fill(0, this.#integersAt(from), this.#integersAt(this.#rows))
    this.#memory.bytes.fill(0, this.#floatsAt(from), this.#floatsAt(this.#rows))
  }

  /** Writes consecutive unit vectors into the rows from `from`. */
  set(from: number, vectors: Float32Array): void {
    const { dimensions } = this
    const { floats, functions } = this.#memory
    for (let start = 0, row = from; start < vectors.length; start += dimensions, row++) {
      floats.set(vectors.subarray(start, start + dimensions), this.#floatsAt(row) / 4)
      const greatest = functions.roundRow(this.#floatsAt(row), this.#integersAt(row), this.#width)
      this.#maxAbsolute = Math.max(this.#maxAbsolute, greatest)
    }
  }

  /** Removes the rows `from` (inclusive) to `to` (exclusive); later rows get smaller numbers. */
  remove(from: number, to: number): void {
    const { bytes } = this.#memory
    bytes.copyWithin(this.#integersAt(from), this.#integersAt(to), this.#integersAt(this.#rows))
    bytes.copyWithin(this.#floatsAt(from), this.#floatsAt(to), this.#floatsAt(this.#rows))
    this.#rows -= to - from
  }

  /**
   * The cosine of each row with a unit vector; negative cosines, and rows without a vector, are 0. The 128 highest
   * are exact to the precision of 32-bit floats, and no other row has a higher true cosine. The others have an error
   * of about 0.001.
   *
   * @returns a view that the next call overwrites
   */
  cosines(vector: Float32Array): Float32Array {
    if (vector.length !== this.dimensions) throw new RangeError(`expected ${this.dimensions} dimensions`)
    const { floats, functions } = this.#memory
    const [start, end] = this.#approximateCosines(vector)
    const cosines = floats.subarray(start / 4, end / 4)
    const last = this.#memory.highest(start, end, exactRows, (a, b) => a - b).at(-1) ?? 0
    const minCosine = Math.max((cosines[last] ?? 0) - 2 * this.#error(vector), minPositiveScore)
    floats.fill(0, 0, this.#width).set(vector)
    const next = (at: number) => functions.nextAtLeast(at, end, minCosine)
    for (let at = next(start); at < end; at = next(at + 4)) {
      const row = (at - start) / 4
      cosines[row] = Math.max(0, functions.dotFloats(this.#floatsAt(row), 0, this.#width))
    }
    return cosines
  }

  /** Computes all cosines from the integers; returns their addresses in bytes. */
  #approximateCosines(vector: Float32Array): [start: number, end: number] {
    const unit = unitOf(vector)
    const { bytes, functions } = this.#memory
    const query = 4 * this.#width
    bytes.fill(0, query, query + 2 * this.#width)
    for (let at = 0; at < vector.length; at++) {
      const units = Math.round((vector[at] as number) / unit) + maxQueryUnits + 1
      const place = query + 2 * at - (at % digitStep)
      bytes[place] = units >> 7
      bytes[place + digitStep] = units & 127
    }
    const start = this.#integersAt(this.#capacity)
    functions.dotRows(this.#integersAt(0), query, unit, start, this.#rows, this.#width)
    return [start, start + 4 * this.#rows]
  }

  /** Upper bound of the error of an approximate cosine, from the rounding of the rows and of the query. */
  #error(vector: Float32Array): number {
    const sum = vector.reduce((sum, value) => sum + Math.abs(value), 0)
    const ofRows = (this.#maxAbsolute / maxRowUnits / 2) * sum
    const ofQuestion = (unitOf(vector) / 2) * Math.sqrt(this.dimensions)
    // Also covers the rounding of floats.
    return 1.001 * (ofRows + ofQuestion) + 1e-5
  }

  /** Grows the memory to a capacity of `rows` rows. */
  #grow(rows: number): void {
    const exact = this.#floatsAt(0)
    this.#capacity = rows
    this.#memory.reserve(this.#floatsAt(rows))
    this.#memory.bytes.copyWithin(this.#floatsAt(0), exact, exact + 4 * this.#width * this.#rows)
  }

  /** Address of a row of integers, which ends with 16 bytes for its scale and sum (see row-functions.wat). */
  #integersAt(row: number): number {
    return 6 * this.#width + row * (this.#width + 16)
  }

  /** Address of a row of floats. The floats follow the cosines, which are padded to 16 bytes. */
  #floatsAt(row: number): number {
    return this.#integersAt(this.#capacity) + 16 * Math.ceil(this.#capacity / 4) + 4 * this.#width * row
  }
}

/** Quantization step of a query: the value of the integer 1. */
function unitOf(vector: Float32Array): number {
  let largest = 0
  for (let at = 0; at < vector.length; at++) largest = Math.max(largest, Math.abs(vector[at] as number))
  return largest / maxQueryUnits || 1
}
