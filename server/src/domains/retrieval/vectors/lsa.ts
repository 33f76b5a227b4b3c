import { bodyFrequency, eachPosting, headingFrequency, type Segment, unpackTerms } from '../segments/index.ts'
import { toUnitVectors } from './vector-matrix.ts'

/**
 * Latent semantic analysis of a chat's chunks: the directions in which their terms vary together (Deerwester et al.:
 * "Indexing by latent semantic analysis", JASIS 1990). Term `i` has the row `loadings[i * dimensions …]`.
 */
export interface LsaFit {
  dimensions: number
  terms: readonly string[]
  /** The number of each term. */
  numbers: ReadonlyMap<string, number>
  idf: Float32Array
  loadings: Float32Array
}

/** A chunk as a sparse row of term numbers and weights, of length 1. */
interface SparseRow {
  terms: number[]
  weights: number[]
}

type Matrices = Pick<typeof import('ml-matrix'), 'EigenvalueDecomposition' | 'Matrix'>

const mostDimensions = 96
/** With nearly as many directions as there are chunks, each chunk would be a direction of its own. */
const chunksForDimension = 4
/** Further directions that are found and dropped; they make the ones that stay exact. */
const oversampling = 10
/** A term in one chunk only says nothing about which terms go together. */
const leastHolders = 2
const mostTerms = 20_000

/**
 * Finds the directions by a randomised singular value decomposition with one power iteration (Halko, Martinsson,
 * Tropp: "Finding structure with randomness", SIAM Review 2011). Takes about a second for 4,000 chunks: not for the
 * event loop. The same segments give the same fit. Undefined when the chunks have too little in common.
 */
export async function fitLsa(segments: readonly Segment[]): Promise<LsaFit | undefined> {
  // Loaded on first use: most servers never fit anything in this thread.
  const matrices: Matrices = await import('ml-matrix')
  const { terms, idf } = chooseTerms(segments)
  const numbers = numbersOf(terms)
  const rows = segments.flatMap((segment) => sparseRows(segment, numbers, idf))
  const most = Math.min(mostDimensions, Math.floor(Math.min(rows.length, terms.length) / chunksForDimension))
  if (most < 2) return undefined
  const width = Math.min(most + oversampling, rows.length, terms.length)
  const found = orthonormal(matrices, times(rows, randomMatrix(terms.length, width), width), width)
  const onTerms = transposedTimes(rows, found, terms.length, width)
  const range = orthonormal(matrices, times(rows, onTerms, width), width)
  const projected = transposedTimes(rows, range, terms.length, width)
  const { dimensions, basis } = principal(matrices, projected, width, most)
  return { dimensions, terms, numbers, idf, loadings: multiply(projected, width, basis, dimensions) }
}

/** One unit vector for each chunk of a document, one after the other; zeros where nothing is known. */
export function projectSegment(fit: LsaFit, segment: Segment): Float32Array {
  const { dimensions } = fit
  const rows = sparseRows(segment, fit.numbers, fit.idf)
  const vectors = new Float32Array(rows.length * dimensions)
  for (const [row, sparse] of rows.entries()) addRow(fit, sparse, vectors, row * dimensions)
  return toUnitVectors(vectors, dimensions)
}

/** The vector of a question, or undefined when no term of it is known. */
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

/** The rarest terms say most; those in one chunk are left out, and the rarest of the others when there are too many. */
function chooseTerms(segments: readonly Segment[]): { terms: string[]; idf: Float32Array } {
  const holders = new Map<string, number>()
  let chunks = 0
  for (const { terms, counts, bodyLengths } of segments) {
    chunks += bodyLengths.length
    for (const [index, term] of unpackTerms(terms).entries()) {
      holders.set(term, (holders.get(term) ?? 0) + (counts[index] ?? 0))
    }
  }
  const chosen = [...holders]
    .filter(([, count]) => count >= leastHolders)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, mostTerms)
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

/** Adds a chunk's place among the directions to the vector that begins at `at`. */
function addRow(fit: LsaFit, { terms, weights }: SparseRow, vectors: Float32Array, at: number): void {
  const { loadings, dimensions } = fit
  for (const [index, term] of terms.entries()) {
    addScaled(vectors, at, loadings, term * dimensions, weights[index] ?? 0, dimensions)
  }
}

/** The chunks' rows times a matrix with a row of `width` for each term. */
function times(rows: readonly SparseRow[], matrix: Float32Array, width: number): Float32Array {
  const product = new Float32Array(rows.length * width)
  for (const [row, { terms, weights }] of rows.entries()) {
    for (const [index, term] of terms.entries()) {
      addScaled(product, row * width, matrix, term * width, weights[index] ?? 0, width)
    }
  }
  return product
}

/** The chunks' rows, turned over, times a matrix with a row of `width` for each chunk. */
function transposedTimes(
  rows: readonly SparseRow[],
  matrix: Float32Array,
  terms: number,
  width: number,
): Float32Array {
  const product = new Float32Array(terms * width)
  for (const [row, { terms: held, weights }] of rows.entries()) {
    for (const [index, term] of held.entries()) {
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

/** The same columns' span with columns that are unit vectors at right angles. */
function orthonormal(matrices: Matrices, matrix: Float32Array, width: number): Float32Array {
  const { dimensions, basis } = principal(matrices, matrix, width)
  const product = multiply(matrix, width, basis, dimensions)
  if (dimensions === width) return product
  // Directions that the columns do not have stay zero.
  const padded = new Float32Array((product.length / dimensions) * width)
  for (let row = 0; row * width < padded.length; row++) {
    padded.set(product.subarray(row * dimensions, (row + 1) * dimensions), row * width)
  }
  return padded
}

/**
 * Combinations of a matrix's columns that are unit vectors at right angles, in order of how much of the matrix lies
 * along them: from the eigenvectors of the columns' products with each other.
 */
function principal(
  { EigenvalueDecomposition, Matrix }: Matrices,
  matrix: Float32Array,
  width: number,
  most = width,
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
  const kept = [...realEigenvalues.keys()]
    .filter((index) => (realEigenvalues[index] ?? 0) > 1e-7 * greatest)
    .sort((a, b) => (realEigenvalues[b] ?? 0) - (realEigenvalues[a] ?? 0))
    .slice(0, most)
  const dimensions = kept.length
  const basis = new Float32Array(width * dimensions)
  for (const [column, index] of kept.entries()) {
    const scale = 1 / Math.sqrt(realEigenvalues[index] ?? 1)
    for (let row = 0; row < width; row++) {
      basis[row * dimensions + column] = scale * eigenvectorMatrix.get(row, index)
    }
  }
  return { dimensions, basis }
}

/** A matrix of rows of `width` times one of `width` rows of `columns`. */
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

/** Numbers in -0.5..0.5, always the same (mulberry32). */
function randomMatrix(rows: number, columns: number): Float32Array {
  let state = 7
  return Float32Array.from({ length: rows * columns }, () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 - 0.5
  })
}
