import { leastScore, RowMemory } from '../wasm/index.ts'

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
 *
 * In memory lie, one after the other: a vector of floats, the digits of a question, and for as many rows as there is room
 * for the integers, the cosines, and the floats.
 */
export class VectorMatrix {
  readonly dimensions: number
  /** Numbers of a row: the compiled loops take whole steps. */
  readonly #width: number
  readonly #memory = new RowMemory()
  /** No row has a greater number. */
  #greatest = 0
  #rows = 0
  /** Rows that there is room for. */
  #room = 0

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
    const isFresh = this.#room === 0
    this.#rows += rows
    if (this.#rows > this.#room) this.#makeRoom(from === 0 ? rows : Math.ceil(1.25 * this.#rows))
    if (isFresh) return
    // What was removed, or lay elsewhere, may be there.
    this.#memory.bytes.fill(0, this.#roughAt(from), this.#roughAt(this.#rows))
    this.#memory.bytes.fill(0, this.#exactAt(from), this.#exactAt(this.#rows))
  }

  /** Writes unit vectors into the rows from `from` on. */
  set(from: number, vectors: Float32Array): void {
    const { dimensions } = this
    const { floats, functions } = this.#memory
    for (let start = 0, row = from; start < vectors.length; start += dimensions, row++) {
      floats.set(vectors.subarray(start, start + dimensions), this.#exactAt(row) / 4)
      const greatest = functions.roundRow(this.#exactAt(row), this.#roughAt(row), this.#width)
      this.#greatest = Math.max(this.#greatest, greatest)
    }
  }

  /** Takes out rows `from` (inclusive) to `to` (exclusive); the rows after them move down. */
  remove(from: number, to: number): void {
    const { bytes } = this.#memory
    bytes.copyWithin(this.#roughAt(from), this.#roughAt(to), this.#roughAt(this.#rows))
    bytes.copyWithin(this.#exactAt(from), this.#exactAt(to), this.#exactAt(this.#rows))
    this.#rows -= to - from
  }

  /**
   * The cosine of each row with a unit vector, those below 0 as 0; 0 for rows without a vector. The 128 highest are
   * exact to the precision of 32-bit floats, and none of the others is higher; those are off by a thousandth or so. A view
   * that the next question overwrites.
   */
  cosines(vector: Float32Array): Float32Array {
    if (vector.length !== this.dimensions) throw new RangeError(`expected ${this.dimensions} dimensions`)
    const { floats, functions } = this.#memory
    const [start, end] = this.#roughCosines(vector)
    const cosines = floats.subarray(start / 4, end / 4)
    const last = this.#memory.highest(start, end, exactRows, (a, b) => a - b).at(-1) ?? 0
    const least = Math.max((cosines[last] ?? 0) - 2 * this.#error(vector), leastScore)
    floats.fill(0, 0, this.#width).set(vector)
    const next = (at: number) => functions.nextAtLeast(at, end, least)
    for (let at = next(start); at < end; at = next(at + 4)) {
      const row = (at - start) / 4
      cosines[row] = Math.max(0, functions.dotFloats(this.#exactAt(row), 0, this.#width))
    }
    return cosines
  }

  /** Where the cosines lie that the integers give. */
  #roughCosines(vector: Float32Array): [start: number, end: number] {
    const unit = unitOf(vector)
    const { bytes, functions } = this.#memory
    const question = 4 * this.#width
    bytes.fill(0, question, question + 2 * this.#width)
    for (let at = 0; at < vector.length; at++) {
      const units = Math.round((vector[at] as number) / unit) + mostUnits + 1
      const place = question + 2 * at - (at % digitStep)
      bytes[place] = units >> 7
      bytes[place + digitStep] = units & 127
    }
    const start = this.#roughAt(this.#room)
    functions.dotRows(this.#roughAt(0), question, unit, start, this.#rows, this.#width)
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

  /** Makes room for so many rows in all. */
  #makeRoom(rows: number): void {
    const exact = this.#exactAt(0)
    this.#room = rows
    this.#memory.reserve(this.#exactAt(rows))
    this.#memory.bytes.copyWithin(this.#exactAt(0), exact, exact + 4 * this.#width * this.#rows)
  }

  /** Where a row of integers begins; it ends with 16 bytes of its own. */
  #roughAt(row: number): number {
    return 6 * this.#width + row * (this.#width + 16)
  }

  /** Where a row of floats begins, behind the cosines, which are padded to 16 bytes. */
  #exactAt(row: number): number {
    return this.#roughAt(this.#room) + 16 * Math.ceil(this.#room / 4) + 4 * this.#width * row
  }
}

/** What an integer of 1 stands for in a question. */
function unitOf(vector: Float32Array): number {
  let most = 0
  for (let at = 0; at < vector.length; at++) most = Math.max(most, Math.abs(vector[at] as number))
  return most / mostUnits || 1
}
