import { type LsaFit, projectTerms } from './lsa.ts'
import { VectorMatrix } from './vector-matrix.ts'

/** A way to give chunks vectors; a fit gives the question one too, otherwise its caller brings it. */
export interface VectorSpace {
  id: string
  kind: 'lsa' | 'embedding'
  /** Which model makes the vectors. */
  model: string
  dimensions: number
  fit?: LsaFit
  /** Chunks that the fit was made of. */
  chunkCount: number
}

const termBytes = 90

/** The vectors of an index in one space, by row; documents may be without. */
export class SpaceVectors {
  readonly space: VectorSpace
  readonly #matrix: VectorMatrix
  readonly #filled = new Set<string>()

  constructor(space: VectorSpace, rows: number) {
    this.space = space
    this.#matrix = new VectorMatrix(space.dimensions)
    this.#matrix.append(rows)
  }

  /** How many documents have vectors. */
  get filled(): number {
    return this.#filled.size
  }

  get bytes(): number {
    const { fit } = this.space
    return this.#matrix.bytes + (fit ? fit.loadings.byteLength + fit.terms.length * termBytes : 0)
  }

  append(rows: number): void {
    this.#matrix.append(rows)
  }

  remove(fileId: string, from: number, to: number): void {
    this.#matrix.remove(from, to)
    this.#filled.delete(fileId)
  }

  /** Unit vectors of a document's chunks, one after the other, whose first is row `from`. */
  set(fileId: string, from: number, vectors: Float32Array): void {
    this.#matrix.set(from, vectors)
    this.#filled.add(fileId)
  }

  /** Cosines by row of a question; undefined when it has no vector in this space. */
  cosines(counts: ReadonlyMap<string, number>, given: Float32Array | undefined): Float32Array | undefined {
    const { fit } = this.space
    const vector = fit ? projectTerms(fit, counts) : given
    // A provider that changes its vectors' length has made another space of it.
    return vector?.length === this.space.dimensions ? this.#matrix.cosines(vector) : undefined
  }
}
