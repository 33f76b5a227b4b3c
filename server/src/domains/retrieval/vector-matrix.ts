import { dotRowsWasm } from './dot-rows.wasm.ts'
import { highest } from './fusion.ts'

/** The little of it that is used: the types of Node do not have it. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Memory {
    constructor(pages: { initial: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Instance {
    constructor(module: Module, imports: { memory: { memory: Memory } })
    readonly exports: Record<string, unknown>
  }
}

type DotRows = (matrix: number, vector: number, out: number, rows: number, width: number) => void

const module = new WebAssembly.Module(dotRowsWasm)
const pageBytes = 65_536
/** The compiled loop takes 16 numbers a step. */
const step = 16
/** What 1 becomes in the question's vector: sums of products with 4,096 8-bit numbers stay below 2^31. */
const unit = 16_384
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
 * Unit vectors by row, for the cosine with each of them. Every row is looked at, as 8-bit integers in a WebAssembly
 * memory, four times as fast to read as floats; the rows that may be among the best are then computed exactly. A row
 * without a vector is all zeros.
 */
export class VectorMatrix {
  readonly dimensions: number
  /** Bytes of a row, and half of those of the question, which lies before the rows; the results lie behind them. */
  readonly #padded: number
  readonly #memory = new WebAssembly.Memory({ initial: 1 })
  readonly #dotRows: DotRows
  #exact = new Float32Array(0)
  /** What 1 of a row's integers stands for. */
  #scales = new Float32Array(0)
  #rows = 0

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.#padded = Math.ceil(dimensions / step) * step
    const { exports } = new WebAssembly.Instance(module, { memory: { memory: this.#memory } })
    this.#dotRows = exports.dotRows as DotRows
  }

  get rows(): number {
    return this.#rows
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength + this.#exact.byteLength + this.#scales.byteLength
  }

  /** Makes exactly the room for so many rows in all. */
  reserve(rows: number): void {
    const missing = Math.ceil((this.#end(rows) - this.#memory.buffer.byteLength) / pageBytes)
    if (missing > 0) this.#memory.grow(missing)
    if (rows <= this.#scales.length) return
    this.#exact = grownTo(this.#exact, rows * this.dimensions)
    this.#scales = grownTo(this.#scales, rows)
  }

  /** Adds rows without vectors at the end. */
  append(rows: number): void {
    const from = this.#rows
    const wanted = from + rows
    if (wanted > this.#scales.length) this.reserve(from === 0 ? wanted : Math.ceil(wanted * 1.25))
    this.#rows = wanted
    // What was removed, and results of searches, may lie there.
    this.#integers().fill(0, from * this.#padded)
    this.#exact.fill(0, from * this.dimensions)
  }

  /** Writes unit vectors into the rows from `from` on. */
  set(from: number, vectors: Float32Array): void {
    const { dimensions } = this
    this.#exact.set(vectors, from * dimensions)
    const integers = this.#integers()
    for (let row = 0; row * dimensions < vectors.length; row++) {
      const start = row * dimensions
      let greatest = 0
      for (let at = 0; at < dimensions; at++) {
        greatest = Math.max(greatest, Math.abs(vectors[start + at] as number))
      }
      const scale = greatest / 127
      this.#scales[from + row] = scale
      const to = (from + row) * this.#padded
      for (let at = 0; at < dimensions; at++) {
        integers[to + at] = scale === 0 ? 0 : Math.round((vectors[start + at] as number) / scale)
      }
    }
  }

  /** Takes out rows `from` (inclusive) to `to` (exclusive); the rows after them move down. */
  remove(from: number, to: number): void {
    const { dimensions } = this
    this.#integers().copyWithin(from * this.#padded, to * this.#padded)
    this.#exact.copyWithin(from * dimensions, to * dimensions, this.#rows * dimensions)
    this.#scales.copyWithin(from, to, this.#rows)
    this.#rows -= to - from
  }

  /**
   * The cosine of each row with a unit vector, -1..1; 0 for rows without a vector. The 128 highest above 0 are exact to
   * the precision of 32-bit floats, and none of the others is higher; those are off by a thousandth or so. The caller
   * may keep the array.
   */
  cosines(vector: Float32Array): Float32Array {
    if (vector.length !== this.dimensions) throw new RangeError(`expected ${this.dimensions} dimensions`)
    const cosines = this.#roughCosines(vector)
    const [last = 0] = highest(cosines, exactRows, (a, b) => a - b).slice(-1)
    const atLeast = (cosines[last] ?? 0) - 2 * this.#error(vector)
    for (let row = 0; row < cosines.length; row++) {
      if ((cosines[row] as number) >= atLeast) cosines[row] = this.#exactCosine(row, vector)
    }
    return cosines
  }

  #roughCosines(vector: Float32Array): Float32Array {
    const question = new Int16Array(this.#memory.buffer, 0, this.#padded)
    for (let at = 0; at < vector.length; at++) question[at] = Math.round((vector[at] as number) * unit)
    const out = this.#end(this.#rows) - 4 * this.#rows
    this.#dotRows(2 * this.#padded, 0, out, this.#rows, this.#padded)
    const sums = new Int32Array(this.#memory.buffer, out, this.#rows)
    const cosines = new Float32Array(this.#rows)
    for (let row = 0; row < cosines.length; row++) {
      cosines[row] = ((sums[row] as number) * (this.#scales[row] as number)) / unit
    }
    return cosines
  }

  #exactCosine(row: number, vector: Float32Array): number {
    const start = row * this.dimensions
    let sum = 0
    for (let at = 0; at < vector.length; at++)
      sum += (this.#exact[start + at] as number) * (vector[at] as number)
    return sum
  }

  /** The most by which a rough cosine may be off: half of a row's step for each number, and of the question's. */
  #error(vector: Float32Array): number {
    let greatest = 0
    for (let row = 0; row < this.#rows; row++) greatest = Math.max(greatest, this.#scales[row] as number)
    let sum = 0
    for (let at = 0; at < vector.length; at++) sum += Math.abs(vector[at] as number)
    return (greatest / 2) * sum + Math.sqrt(this.dimensions) / (2 * unit)
  }

  #integers(): Int8Array {
    return new Int8Array(this.#memory.buffer, 2 * this.#padded, this.#rows * this.#padded)
  }

  /** Where the results for so many rows end. */
  #end(rows: number): number {
    return this.#padded * (2 + rows) + 4 * rows
  }
}

function grownTo(array: Float32Array, length: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(length)
  larger.set(array)
  return larger
}
