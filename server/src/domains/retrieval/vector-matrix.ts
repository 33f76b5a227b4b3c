import { dotRowsWasm } from './dot-rows.wasm.ts'

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
/** The compiled loop takes 16 floats a step. */
const step = 16

/** Makes vectors of `dimensions` floats, one after the other, unit vectors; zeros stay. Changes and answers `vectors`. */
export function toUnitVectors(vectors: Float32Array, dimensions: number): Float32Array {
  for (let start = 0; start < vectors.length; start += dimensions) {
    const vector = vectors.subarray(start, start + dimensions)
    let squares = 0
    for (const value of vector) squares += value * value
    const length = Math.sqrt(squares)
    if (length > 0) for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) / length
  }
  return vectors
}

/**
 * Unit vectors by row, for the cosine with each of them: exact, without an approximate structure. They lie in a
 * WebAssembly memory of their own, padded with zeros; a row without a vector is all zeros.
 */
export class VectorMatrix {
  readonly dimensions: number
  readonly #padded: number
  readonly #memory = new WebAssembly.Memory({ initial: 1 })
  readonly #dotRows: DotRows
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
    return this.#memory.buffer.byteLength
  }

  /** Adds rows without vectors at the end. */
  append(rows: number): void {
    const from = this.#rows
    this.#rows += rows
    this.#ensure(this.#rows)
    // What was removed, and results of searches, may lie there.
    this.#matrix().fill(0, from * this.#padded)
  }

  /** Writes unit vectors into the rows from `from` on. */
  set(from: number, vectors: Float32Array): void {
    const { dimensions } = this
    const matrix = this.#matrix()
    for (let row = 0; row * dimensions < vectors.length; row++) {
      const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions)
      matrix.set(vector, (from + row) * this.#padded)
    }
  }

  /** Takes out rows `from` (inclusive) to `to` (exclusive); the rows after them move down. */
  remove(from: number, to: number): void {
    this.#matrix().copyWithin(from * this.#padded, to * this.#padded)
    this.#rows -= to - from
  }

  /** The cosine of each row with a unit vector, -1..1; 0 for rows without a vector. The caller may keep the array. */
  cosines(vector: Float32Array): Float32Array {
    if (vector.length !== this.dimensions) throw new RangeError(`expected ${this.dimensions} dimensions`)
    this.#ensure(this.#rows)
    new Float32Array(this.#memory.buffer, 0, this.#padded).set(vector)
    const width = this.#padded * 4
    const out = width * (1 + this.#rows)
    this.#dotRows(width, 0, out, this.#rows, width)
    return new Float32Array(this.#memory.buffer, out, this.#rows).slice()
  }

  /** All rows; the question's vector lies before them, and behind them there is room for the results. */
  #matrix(): Float32Array {
    const width = this.#padded * 4
    return new Float32Array(this.#memory.buffer, width, this.#rows * this.#padded)
  }

  #ensure(rows: number): void {
    const wanted = this.#padded * 4 * (1 + rows) + 4 * rows
    const missing = Math.ceil((wanted - this.#memory.buffer.byteLength) / pageBytes)
    if (missing <= 0) return
    const spare = Math.ceil(this.#memory.buffer.byteLength / pageBytes / 4)
    this.#memory.grow(missing + spare)
  }
}
