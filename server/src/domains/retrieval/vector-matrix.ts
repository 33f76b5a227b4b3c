import { highest } from './fusion.ts'
import { int8RowsWasm } from './int8-rows.wasm.ts'

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

/** `int8-rows.wat` says what they do. */
interface RowFunctions {
  dotRows: (matrix: number, vector: number, out: number, rows: number, width: number) => void
  roundRow: (floats: number, row: number, width: number) => number
}

const module = new WebAssembly.Module(int8RowsWasm)
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
  /** Integers of a row. Before the rows lies one vector of 16-bit integers or floats, behind them the results. */
  readonly #padded: number
  readonly #memory = new WebAssembly.Memory({ initial: 1 })
  readonly #functions: RowFunctions
  #exact = new Float32Array(0)
  /** No row has a greater number. */
  #greatest = 0
  #rows = 0

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.#padded = Math.ceil(dimensions / step) * step
    const { exports } = new WebAssembly.Instance(module, { memory: { memory: this.#memory } })
    this.#functions = exports as unknown as RowFunctions
    this.reserve(0)
  }

  get rows(): number {
    return this.#rows
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength + this.#exact.byteLength
  }

  /** Makes exactly the room for so many rows in all. */
  reserve(rows: number): void {
    const missing = Math.ceil((this.#end(rows) - this.#memory.buffer.byteLength) / pageBytes)
    if (missing > 0) this.#memory.grow(missing)
    if (rows * this.dimensions > this.#exact.length)
      this.#exact = grownTo(this.#exact, rows * this.dimensions)
  }

  /** Adds rows without vectors at the end. */
  append(rows: number): void {
    const from = this.#rows
    const wanted = from + rows
    if (wanted * this.dimensions > this.#exact.length)
      this.reserve(from === 0 ? wanted : Math.ceil(wanted * 1.25))
    this.#rows = wanted
    // What was removed, and results of searches, may lie there.
    this.#bytes().fill(0, from * this.#width)
    this.#exact.fill(0, from * this.dimensions)
  }

  /** Writes unit vectors into the rows from `from` on. */
  set(from: number, vectors: Float32Array): void {
    const { dimensions } = this
    this.#exact.set(vectors, from * dimensions)
    const floats = new Float32Array(this.#memory.buffer, 0, this.#padded).fill(0)
    for (let row = 0; row * dimensions < vectors.length; row++) {
      floats.set(vectors.subarray(row * dimensions, (row + 1) * dimensions))
      const start = this.#start() + (from + row) * this.#width
      this.#greatest = Math.max(this.#greatest, this.#functions.roundRow(0, start, this.#padded))
    }
  }

  /** Takes out rows `from` (inclusive) to `to` (exclusive); the rows after them move down. */
  remove(from: number, to: number): void {
    const { dimensions } = this
    this.#bytes().copyWithin(from * this.#width, to * this.#width)
    this.#exact.copyWithin(from * dimensions, to * dimensions, this.#rows * dimensions)
    this.#rows -= to - from
  }

  /**
   * The cosine of each row with a unit vector, those below 0 as 0; 0 for rows without a vector. The 128 highest are
   * exact to the precision of 32-bit floats, and none of the others is higher; those are off by a thousandth or so. The
   * caller may keep the array.
   */
  cosines(vector: Float32Array): Float32Array {
    if (vector.length !== this.dimensions) throw new RangeError(`expected ${this.dimensions} dimensions`)
    const cosines = this.#roughCosines(vector)
    const [last = 0] = highest(cosines, exactRows, (a, b) => a - b).slice(-1)
    const atLeast = Math.max((cosines[last] ?? 0) - 2 * this.#error(vector), Number.MIN_VALUE)
    for (let row = 0; row < cosines.length; row++) {
      if ((cosines[row] as number) >= atLeast) cosines[row] = Math.max(0, this.#exactCosine(row, vector))
    }
    return cosines
  }

  #roughCosines(vector: Float32Array): Float32Array {
    const question = new Int16Array(this.#memory.buffer, 0, this.#padded)
    for (let at = 0; at < vector.length; at++) question[at] = Math.round((vector[at] as number) * unit)
    const out = this.#end(this.#rows) - 4 * this.#rows
    this.#functions.dotRows(this.#start(), 0, out, this.#rows, this.#padded)
    return new Float32Array(this.#memory.buffer, out, this.#rows).slice()
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
    let sum = 0
    for (let at = 0; at < vector.length; at++) sum += Math.abs(vector[at] as number)
    const step = (this.#greatest / 127) * 1.0001
    return (step / 2) * sum + Math.sqrt(this.dimensions) / (2 * unit)
  }

  /** All rows. */
  #bytes(): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#start(), this.#rows * this.#width)
  }

  get #width(): number {
    return this.#padded + 16
  }

  /** Where the rows begin. */
  #start(): number {
    return 4 * this.#padded
  }

  /** Where the results for so many rows end. */
  #end(rows: number): number {
    return this.#start() + (this.#width + 4) * rows
  }
}

function grownTo(array: Float32Array, length: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(length)
  larger.set(array)
  return larger
}
