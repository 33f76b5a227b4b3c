import { rowFunctionsWasm } from './row-functions.wasm.ts'

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

/** `row-functions.wat` says what they do. Parameters that are no factors are addresses in bytes. */
interface RowFunctions {
  decodePostings: (bytes: number, counts: number, targets: number, terms: number, from: number) => number
  decodeNumbers: (bytes: number, count: number, out: number) => number
  addFrequencies: (
    postings: number,
    end: number,
    records: number,
    similarity: number,
    byRow: number,
    heldEnd: number,
  ) => number
  addSaturated: (held: number, end: number, byRow: number, k1: number, weight: number, scores: number) => void
  clear: (held: number, end: number, byRow: number) => void
  addDocumentFrequencies: (
    postings: number,
    end: number,
    records: number,
    factors: number,
    byDocument: number,
    held: number,
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
  addScores: (scores: number, end: number, factor: number, admits: number, sums: number) => void
  nextAtLeast: (scores: number, end: number, least: number) => number
  dotRows: (matrix: number, question: number, unit: number, out: number, rows: number, width: number) => void
  dotFloats: (row: number, other: number, width: number) => number
  roundRow: (floats: number, row: number, width: number) => number
}

const module = new WebAssembly.Module(rowFunctionsWasm)
const pageBytes = 65_536

/** A memory that grows and the functions that work on it. A larger one has new views; the old ones are empty then. */
export class RowMemory {
  readonly #memory = new WebAssembly.Memory({ initial: 1 })
  readonly functions: RowFunctions
  /** All of it, by bytes and by 32-bit numbers. */
  bytes = new Uint8Array(this.#memory.buffer)
  floats = new Float32Array(this.#memory.buffer)
  integers = new Uint32Array(this.#memory.buffer)

  constructor() {
    const { exports } = new WebAssembly.Instance(module, { memory: { memory: this.#memory } })
    this.functions = exports as unknown as RowFunctions
  }

  /** Has at least so many bytes from now on; those that come are zeros. */
  reserve(bytes: number): void {
    const missing = Math.ceil((bytes - this.bytes.length) / pageBytes)
    if (missing <= 0) return
    this.#memory.grow(missing)
    this.bytes = new Uint8Array(this.#memory.buffer)
    this.floats = new Float32Array(this.#memory.buffer)
    this.integers = new Uint32Array(this.#memory.buffer)
  }

  /**
   * Indexes of the `limit` highest of the scores from `start` to `end` that are above 0, those of equal scores in the order
   * of `compare`. Behind `end` there is as much as makes 16 bytes whole.
   */
  highest(start: number, end: number, limit: number, compare: (a: number, b: number) => number): number[] {
    const scores = this.floats.subarray(start / 4, end / 4)
    const best: number[] = []
    // The score that a row must have once there are enough.
    let least = leastScore
    let at = this.functions.nextAtLeast(start, end, least)
    while (at < end) {
      insert(best, (at - start) / 4, limit, scores, compare)
      if (best.length === limit) least = Math.max(least, scores[best[limit - 1] as number] as number)
      at = this.functions.nextAtLeast(at + 4, end, least)
    }
    return best
  }
}

/** The smallest 32-bit float above 0. */
export const leastScore = 2 ** -149

/** Puts a row before the first one that it is better than; what is over the limit goes. */
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
