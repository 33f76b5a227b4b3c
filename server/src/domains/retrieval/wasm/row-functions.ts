import { rowFunctionsWasm } from './row-functions.wasm.ts'

/** The used part of WebAssembly, which the types of Node do not declare. */
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

/**
 * The functions of `row-functions.wat`, which documents them. Arrays and their ends are addresses in bytes; other
 * parameters are numbers of elements, factors, or thresholds.
 */
interface RowFunctions {
  decodePostings: (bytes: number, counts: number, targets: number, terms: number, from: number) => number
  decodeNumbers: (bytes: number, count: number, out: number) => number
  addFrequencies: (
    postings: number,
    end: number,
    records: number,
    similarity: number,
    byRow: number,
    matchedEnd: number,
  ) => number
  addSaturated: (
    matched: number,
    end: number,
    byRow: number,
    k1: number,
    weight: number,
    scores: number,
  ) => void
  clear: (matched: number, end: number, byRow: number) => void
  addDocumentFrequencies: (
    postings: number,
    end: number,
    records: number,
    factors: number,
    byDocument: number,
    matched: number,
  ) => number
  addWithDocuments: (
    own: number,
    end: number,
    factor: number,
    records: number,
    documents: number,
    scores: number,
  ) => void
  highestScore: (scores: number, end: number) => number
  addScores: (scores: number, end: number, factor: number, minScore: number, sums: number) => void
  nextAtLeast: (scores: number, end: number, least: number) => number
  dotRows: (matrix: number, question: number, unit: number, out: number, rows: number, width: number) => void
  dotFloats: (row: number, other: number, width: number) => number
  roundRow: (floats: number, row: number, width: number) => number
}

const module = new WebAssembly.Module(rowFunctionsWasm)
const pageBytes = 65_536

/** A growing WebAssembly memory with functions on it. Growing replaces the views, and detaches the old ones. */
export class RowMemory {
  readonly #memory = new WebAssembly.Memory({ initial: 1 })
  readonly functions: RowFunctions
  /** Views of the whole memory. */
  bytes = new Uint8Array(this.#memory.buffer)
  floats = new Float32Array(this.#memory.buffer)
  integers = new Uint32Array(this.#memory.buffer)

  constructor() {
    const { exports } = new WebAssembly.Instance(module, { memory: { memory: this.#memory } })
    this.functions = exports as unknown as RowFunctions
  }

  /** Grows the memory to at least `bytes` bytes; new bytes are 0. */
  reserve(bytes: number): void {
    const missing = Math.ceil((bytes - this.bytes.length) / pageBytes)
    if (missing <= 0) return
    this.#memory.grow(missing)
    this.bytes = new Uint8Array(this.#memory.buffer)
    this.floats = new Float32Array(this.#memory.buffer)
    this.integers = new Uint32Array(this.#memory.buffer)
  }

  /**
   * Indexes of the `limit` highest scores above 0 between the addresses `start` and `end`; `compare` orders equal
   * scores. The memory after `end` must be readable up to the next multiple of 16 bytes.
   */
  highest(start: number, end: number, limit: number, compare: (a: number, b: number) => number): number[] {
    const scores = this.floats.subarray(start / 4, end / 4)
    const best: number[] = []
    // Once there are `limit` rows, further rows must have at least the lowest of their scores.
    let threshold = minPositiveScore
    let at = this.functions.nextAtLeast(start, end, threshold)
    while (at < end) {
      insert(best, (at - start) / 4, limit, scores, compare)
      if (best.length === limit) threshold = Math.max(threshold, scores[best[limit - 1] as number] as number)
      at = this.functions.nextAtLeast(at + 4, end, threshold)
    }
    return best
  }
}

/** The smallest 32-bit float above 0. */
export const minPositiveScore = 2 ** -149

/** Inserts a row into the sorted list, by binary search, and drops the last row above the limit. */
function insert(
  best: number[],
  row: number,
  limit: number,
  scores: Float32Array,
  compare: (a: number, b: number) => number,
): void {
  const score = scores[row] as number
  let [low, high] = [0, best.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = best[middle] as number
    const difference = score - (scores[other] as number)
    if (difference > 0 || (difference === 0 && compare(row, other) < 0)) high = middle
    else low = middle + 1
  }
  if (low === limit) return
  best.splice(low, 0, row)
  if (best.length > limit) best.pop()
}
