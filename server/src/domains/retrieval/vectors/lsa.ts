import { bodyFrequency, eachPosting, headingFrequency, type Segment, unpackTerms } from '../segments/index.ts'
import { toUnitVectors } from './vector-matrix.ts'

/**
 * Latent semantic analysis of a chat's chunks: directions in which terms occur together (Deerwester et al.: "Indexing
 * by latent semantic analysis", JASIS 1990). Term `i` has `dimensions` loadings, from `loadings[i * dimensions]`.
 */
export interface LsaFit {
  dimensions: number
  terms: readonly string[]
  /** Index of each term in `terms`. */
  numbers: ReadonlyMap<string, number>
  idf: Float32Array
  loadings: Float32Array
}

/** A chunk as a sparse unit vector: term numbers and their weights. */
interface SparseRow {
  terms: number[]
  weights: number[]
}

type Matrices = Pick<typeof import('ml-matrix'), 'EigenvalueDecomposition' | 'Matrix'>

const maxDimensions = 96
/** Minimum chunks (and terms) per dimension. With about as many dimensions as chunks, each chunk would get its own. */
const chunksForDimension = 4
/** Additional directions that improve the precision of the others and are then dropped (Halko et al., see `fitLsa`). */
const oversampling = 10
/** A term in a single chunk does not show which terms occur together. */
const minChunksPerTerm = 2
const maxTerms = 20_000

/**
 * Fits the directions with a randomized singular value decomposition and one power iteration (Halko, Martinsson,
 * Tropp: "Finding structure with randomness", SIAM Review 2011). It takes about a second for 4,000 chunks, so call it
 * in a child process. The result is deterministic. Returns undefined if the chunks have too few terms in common.
 */
export async function fitLsa(segments: readonly Segment[]): Promise<LsaFit | undefined> {
  // Loaded on first use, because the server's main process imports this file but never fits.
  const matrices: Matrices = await import('ml-matrix')
  const { terms, idf } = chooseTerms(segments)
  const numbers = numbersOf(terms)
  const rows = segments.flatMap((segment) => sparseRows(segment, numbers, idf))
  const limit = Math.min(maxDimensions, Math.floor(Math.min(rows.length, terms.length) / chunksForDimension))
  if (limit < 2) return undefined
  const width = Math.min(limit + oversampling, rows.length, terms.length)
  const found = orthonormal(matrices, times(rows, randomMatrix(terms.length, width), width), width)
  const onTerms = transposedTimes(rows, found, terms.length, width)
  const range = orthonormal(matrices, times(rows, onTerms, width), width)
  const projected = transposedTimes(rows, range, terms.length, width)
  const { dimensions, basis } = principal(matrices, projected, width, limit)
  return { dimensions, terms, numbers, idf, loadings: multiply(projected, width, basis, dimensions) }
}

/** Unit vectors of a document's chunks, one after the other; all zeros for a chunk without known terms. */
export function projectSegment(fit: LsaFit, segment: Segment): Float32Array {
  const { dimensions } = fit
  const rows = sparseRows(segment, fit.numbers, fit.idf)
  const vectors = new Float32Array(rows.length * dimensions)
  for (const [row, sparse] of rows.entries()) addRow(fit, sparse, vectors, row * dimensions)
  return toUnitVectors(vectors, dimensions)
}

/** The unit vector of a question with these term counts; undefined if all its terms are unknown. */
export function projectTerms(fit: LsaFit, counts: ReadonlyMap<string, number>): Float32Array | undefined {
  const sparse: SparseRow = { terms: [], weights: [] }
  for (const [term, count] of counts) {
    const number = fit.numbers.get(term)
    if (number === undefined) continue
    sparse.terms.push(number)
    sparse.weights.push((1 + Math.log(count)) * (fit.idf[number] ?? 0))
  }
  if (sparse.terms.length === 0) return undefined
  const vector = new Float32Array(fit.dimensions)
  addRow(fit, sparse, vector, 0)
  return toUnitVectors(vector, fit.dimensions)
}

export function numbersOf(terms: readonly string[]): Map<string, number> {
  return new Map(terms.map((term, number) => [term, number]))
}

/**
 * Selects the terms of the fit and their idf: terms in at least two chunks, the most frequent first, at most
 * `maxTerms`.
 */
function chooseTerms(segments: readonly Segment[]): { terms: string[]; idf: Float32Array } {
  const chunkCounts = new Map<string, number>()
  let chunks = 0
  for (const { terms, counts, bodyLengths } of segments) {
    chunks += bodyLengths.length
    for (const [index, term] of unpackTerms(terms).entries()) {
      chunkCounts.set(term, (chunkCounts.get(term) ?? 0) + (counts[index] ?? 0))
    }
  }
  const chosen = [...chunkCounts]
    .filter(([, count]) => count >= minChunksPerTerm)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, maxTerms)
  return {
    terms: chosen.map(([term]) => term),
    idf: Float32Array.from(chosen, ([, count]) => Math.log(1 + chunks / count)),
  }
}

function sparseRows(segment: Segment, numbers: ReadonlyMap<string, number>, idf: Float32Array): SparseRow[] {
  const sparse = Array.from(segment.bodyLengths, (): SparseRow => ({ terms: [], weights: [] }))
  const ofTerms = unpackTerms(segment.terms).map((term) => numbers.get(term))
  eachPosting(segment, (term, row, packed) => {
    const number = ofTerms[term]
    const frequency = bodyFrequency(packed) + headingFrequency(packed)
    if (number === undefined || frequency === 0) return
    sparse[row]?.terms.push(number)
    sparse[row]?.weights.push((1 + Math.log(frequency)) * (idf[number] ?? 0))
  })
  for (const { weights } of sparse) {
    const length = Math.hypot(...weights) || 1
    for (const [index, weight] of weights.entries()) weights[index] = weight / length
  }
  return sparse
}

/** Projects a sparse row, and adds the result to the vector that begins at `at`. */
function addRow(fit: LsaFit, { terms, weights }: SparseRow, vectors: Float32Array, at: number): void {
  const { loadings, dimensions } = fit
  for (const [index, term] of terms.entries()) {
    addScaled(vectors, at, loadings, term * dimensions, weights[index] ?? 0, dimensions)
  }
}

/** Product of the sparse rows with a matrix that has a row of `width` numbers per term. */
function times(rows: readonly SparseRow[], matrix: Float32Array, width: number): Float32Array {
  const product = new Float32Array(rows.length * width)
  for (const [row, { terms, weights }] of rows.entries()) {
    for (const [index, term] of terms.entries()) {
      addScaled(product, row * width, matrix, term * width, weights[index] ?? 0, width)
    }
  }
  return product
}

/** Product of the transposed sparse rows with a matrix that has a row of `width` numbers per chunk. */
function transposedTimes(
  rows: readonly SparseRow[],
  matrix: Float32Array,
  terms: number,
  width: number,
): Float32Array {
  const product = new Float32Array(terms * width)
  for (const [row, { terms: rowTerms, weights }] of rows.entries()) {
    for (const [index, term] of rowTerms.entries()) {
      addScaled(product, term * width, matrix, row * width, weights[index] ?? 0, width)
    }
  }
  return product
}

function addScaled(
  to: Float32Array,
  at: number,
  from: Float32Array,
  start: number,
  factor: number,
  length: number,
): void {
  for (let index = 0; index < length; index++) {
    to[at + index] = (to[at + index] as number) + factor * (from[start + index] as number)
  }
}

/** An orthonormal basis of the matrix's columns. It has `width` columns, padded with zeros if the rank is lower. */
function orthonormal(matrices: Matrices, matrix: Float32Array, width: number): Float32Array {
  const { dimensions, basis } = principal(matrices, matrix, width)
  const product = multiply(matrix, width, basis, dimensions)
  if (dimensions === width) return product
  // The missing columns stay zero.
  const padded = new Float32Array((product.length / dimensions) * width)
  for (let row = 0; row * width < padded.length; row++) {
    padded.set(product.subarray(row * dimensions, (row + 1) * dimensions), row * width)
  }
  return padded
}

/**
 * Coefficients that combine a matrix's columns to orthonormal columns, in descending order of their singular values.
 * They come from the eigenvectors of the Gram matrix.
 */
function principal(
  { EigenvalueDecomposition, Matrix }: Matrices,
  matrix: Float32Array,
  width: number,
  limit = width,
): { dimensions: number; basis: Float32Array } {
  const gram = Matrix.zeros(width, width)
  for (let start = 0; start < matrix.length; start += width) {
    for (let a = 0; a < width; a++) {
      const value = matrix[start + a] as number
      if (value === 0) continue
      for (let b = a; b < width; b++) gram.set(a, b, gram.get(a, b) + value * (matrix[start + b] as number))
    }
  }
  for (let a = 0; a < width; a++) for (let b = 0; b < a; b++) gram.set(a, b, gram.get(b, a))
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(gram, { assumeSymmetric: true })
  const greatest = Math.max(...realEigenvalues)
  const largest = [...realEigenvalues.keys()]
    .filter((index) => (realEigenvalues[index] ?? 0) > 1e-7 * greatest)
    .sort((a, b) => (realEigenvalues[b] ?? 0) - (realEigenvalues[a] ?? 0))
    .slice(0, limit)
  const dimensions = largest.length
  const basis = new Float32Array(width * dimensions)
  for (const [column, index] of largest.entries()) {
    const scale = 1 / Math.sqrt(realEigenvalues[index] ?? 1)
    for (let row = 0; row < width; row++) {
      basis[row * dimensions + column] = scale * eigenvectorMatrix.get(row, index)
    }
  }
  return { dimensions, basis }
}

/** Product of a matrix with rows of `width` numbers and a matrix with `width` rows of `columns` numbers. */
function multiply(matrix: Float32Array, width: number, basis: Float32Array, columns: number): Float32Array {
  const product = new Float32Array((matrix.length / width) * columns)
  for (let row = 0; row * width < matrix.length; row++) {
    for (let index = 0; index < width; index++) {
      const value = matrix[row * width + index] as number
      if (value !== 0) addScaled(product, row * columns, basis, index * columns, value, columns)
    }
  }
  return product
}

/** A matrix of pseudo-random numbers in -0.5..0.5, which are always the same (mulberry32 with a fixed seed). */
function randomMatrix(rows: number, columns: number): Float32Array {
  let state = 7
  return Float32Array.from({ length: rows * columns }, () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 - 0.5
  })
}
