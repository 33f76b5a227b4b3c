import { leastScore, RowMemory } from './row-functions.ts'

/** The compiled loop takes 32 numbers a step. */
const step = 32
/** Digits of a question that lie together: first the high ones of so many numbers, then the low ones. */
const digitStep = 16
/** The question's numbers become integers of two digits of 7 bits, up to this far from 0. */
const mostUnits = 8191
/** A row's numbers become integers up to this far from 0. */
const mostRowUnits = 127
/** So many of the highest cosines are exact, and those that might be among them. */
const exactRows = 128

/** Makes vectors of `dimensions` floats, one after the other, unit vectors; zeros stay. Changes and answers `vectors`. */
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
 * Unit vectors by row, for the cosine with each of them. Every row is looked at, as 8-bit integers, four times as fast to
 * read as floats; the rows that may be among the best are then computed exactly. A row without a vector is all zeros.
 */
export class VectorMatrix {
  readonly dimensions: number
  /** Numbers of a row: the compiled loops take whole steps. */
  readonly #width: number
  /** The rows as integers. Before them lies a question, or one vector of floats; behind them the results. */
  readonly #rough = new RowMemory()
  /** The rows as floats. Before them lies a question. */
  readonly #exact = new RowMemory()
  /** No row has a greater number. */
  #greatest = 0
  #rows = 0

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.#width = Math.ceil(dimensions / step) * step
    this.#reserve(0)
  }

  get rows(): number {
    return this.#rows
  }

  get bytes(): number {
    return this.#rough.buffer.byteLength + this.#exact.buffer.byteLength
  }

  /** Adds rows without vectors at the end. */
  append(rows: number): void {
    const from = this.#rows
    const wanted = from + rows
    if (this.#exactAt(wanted) > this.#exact.buffer.byteLength)
      this.#reserve(from === 0 ? wanted : Math.ceil(wanted * 1.25))
    this.#rows = wanted
    // What was removed, and results of searches, may lie there.
    this.#roughRows(from).fill(0)
    this.#exactRows(from).fill(0)
  }

  /** Writes unit vectors into the rows from `from` on. */
  set(from: number, vectors: Float32Array): void {
    const { dimensions } = this
    const vector = this.#floats(this.#rough, 0).fill(0)
    for (let start = 0, row = from; start < vectors.length; start += dimensions, row++) {
      vector.set(vectors.subarray(start, start + dimensions))
      this.#floats(this.#exact, this.#exactAt(row)).set(vector)
      const greatest = this.#rough.functions.roundRow(0, this.#roughAt(row), this.#width)
      this.#greatest = Math.max(this.#greatest, greatest)
    }
  }

  /** Takes out rows `from` (inclusive) to `to` (exclusive); the rows after them move down. */
  remove(from: number, to: number): void {
    this.#roughRows(from).copyWithin(0, this.#roughAt(to) - this.#roughAt(from))
    this.#exactRows(from).copyWithin(0, this.#exactAt(to) - this.#exactAt(from))
    this.#rows -= to - from
  }

  /**
   * The cosine of each row with a unit vector, those below 0 as 0; 0 for rows without a vector. The 128 highest are
   * exact to the precision of 32-bit floats, and none of the others is higher; those are off by a thousandth or so. A view
   * that the next question overwrites.
   */
  cosines(vector: Float32Array): Float32Array {
    if (vector.length !== this.dimensions) throw new RangeError(`expected ${this.dimensions} dimensions`)
    const [start, end] = this.#roughCosines(vector)
    const cosines = new Float32Array(this.#rough.buffer, start, this.#rows)
    const last = this.#rough.highest(start, end, exactRows, (a, b) => a - b).at(-1) ?? 0
    const least = Math.max((cosines[last] ?? 0) - 2 * this.#error(vector), leastScore)
    this.#floats(this.#exact, 0).fill(0).set(vector)
    const { nextAtLeast } = this.#rough.functions
    for (let at = nextAtLeast(start, end, least); at < end; at = nextAtLeast(at + 4, end, least)) {
      const row = (at - start) / 4
      const exact = this.#exact.functions.dotFloats(this.#exactAt(row), 0, this.#width)
      cosines[row] = Math.max(0, exact)
    }
    return cosines
  }

  /** Where the cosines lie that the integers give. */
  #roughCosines(vector: Float32Array): [start: number, end: number] {
    const unit = unitOf(vector)
    const digits = new Uint8Array(this.#rough.buffer, 0, 2 * this.#width).fill(0)
    for (let at = 0; at < vector.length; at++) {
      const units = Math.round((vector[at] as number) / unit) + mostUnits + 1
      const place = 2 * at - (at % digitStep)
      digits[place] = units >> 7
      digits[place + digitStep] = units & 127
    }
    const start = this.#roughAt(this.#rows)
    this.#rough.functions.dotRows(this.#roughAt(0), 0, unit, start, this.#rows, this.#width)
    return [start, start + 4 * this.#rows]
  }

  /** The most by which a rough cosine may be off: half of a row's step for each number, and of the question's. */
  #error(vector: Float32Array): number {
    const sum = vector.reduce((sum, value) => sum + Math.abs(value), 0)
    const ofRows = (this.#greatest / mostRowUnits / 2) * sum
    const ofQuestion = (unitOf(vector) / 2) * Math.sqrt(this.dimensions)
    // Floats are rounded as well.
    return 1.001 * (ofRows + ofQuestion) + 1e-5
  }

  /** Makes exactly the room for so many rows in all. */
  #reserve(rows: number): void {
    this.#rough.reserve(this.#roughAt(rows) + 4 * rows + 16)
    this.#exact.reserve(this.#exactAt(rows))
  }

  /** Where a row of integers begins; it ends with 16 bytes of its own. */
  #roughAt(row: number): number {
    return 4 * this.#width + row * (this.#width + 16)
  }

  /** Where a row of floats begins. */
  #exactAt(row: number): number {
    return 4 * this.#width * (row + 1)
  }

  #floats(memory: RowMemory, at: number): Float32Array {
    return new Float32Array(memory.buffer, at, this.#width)
  }

  /** The bytes of all rows from `from` on. */
  #roughRows(from: number): Uint8Array {
    return new Uint8Array(
      this.#rough.buffer,
      this.#roughAt(from),
      this.#roughAt(this.#rows) - this.#roughAt(from),
    )
  }

  #exactRows(from: number): Uint8Array {
    return new Uint8Array(
      this.#exact.buffer,
      this.#exactAt(from),
      this.#exactAt(this.#rows) - this.#exactAt(from),
    )
  }
}

/** What an integer of 1 stands for in a question. */
function unitOf(vector: Float32Array): number {
  let most = 0
  for (let at = 0; at < vector.length; at++) most = Math.max(most, Math.abs(vector[at] as number))
  return most / mostUnits || 1
}
