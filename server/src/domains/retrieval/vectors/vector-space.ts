import { type LsaFit, projectTerms } from './lsa.ts'
import { VectorMatrix } from './vector-matrix.ts'

/** A vector space. With a `fit` (LSA) it also projects questions; otherwise the caller passes the question's vector. */
export interface VectorSpace {
  id: string
  kind: 'lsa' | 'embedding'
  /** Id of the embedding model, or 'lsa'. */
  model: string
  dimensions: number
  fit?: LsaFit
  /** Number of chunks that the LSA was fitted to; 0 for an embedding model. */
  chunkCount: number
}

const termBytes = 90

/** The vectors of an index in one space, by row. Some documents may have no vectors. */
export class SpaceVectors {
  readonly space: VectorSpace
  readonly #matrix: VectorMatrix
  readonly #documentsWithVectors = new Set<string>()

  constructor(space: VectorSpace, rows: number) {
    this.space = space
    this.#matrix = new VectorMatrix(space.dimensions)
    this.#matrix.append(rows)
  }

  /** Number of documents with vectors. */
  get documentsWithVectors(): number {
    return this.#documentsWithVectors.size
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
    this.#documentsWithVectors.delete(fileId)
  }

  /** Sets the unit vectors of a document's chunks, one after the other; the first chunk is row `from`. */
  set(fileId: string, from: number, vectors: Float32Array): void {
    this.#matrix.set(from, vectors)
    this.#documentsWithVectors.add(fileId)
  }

  /**
   * Cosines of a question by row, or undefined if the question has no vector in this space.
   *
   * @param counts the question's terms and frequencies, for LSA
   * @param given the question's unit vector, for an embedding model
   */
  cosines(counts: ReadonlyMap<string, number>, given: Float32Array | undefined): Float32Array | undefined {
    const { fit } = this.space
    const vector = fit ? projectTerms(fit, counts) : given
    // A different length means that the provider has changed its model.
    return vector?.length === this.space.dimensions ? this.#matrix.cosines(vector) : undefined
  }
}
