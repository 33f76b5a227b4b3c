export interface MemoryBudgetOptions {
  /** Resident memory past which heavy work is limited. */
  bytes: number
  /** The resident memory of the process, in bytes. */
  resident: () => number
  /** Frees memory that can be made again, such as caches. */
  relieve: () => void
  /** The error for work that is refused. */
  refusal: () => Error
}

export interface MemoryStatus {
  residentBytes: number
  budgetBytes: number
  /** Heavy requests under way. */
  heavy: number
  /** Heavy requests refused since the start. */
  refused: number
}

/** Past the budget so many projects have a heavy request under way, one each. */
const mostPastBudget = 4

/**
 * Admits heavy work by the memory of the whole process. Within the budget everything is admitted. Past it each project
 * has one heavy request at a time: a project that fills the memory is refused, and others still get their turn. Nobody is
 * refused for ever: without heavy work under way the next request is admitted, however much memory is in use.
 */
export class MemoryBudget {
  readonly #options: MemoryBudgetOptions
  readonly #heavy = new Map<string, number>()
  #refused = 0

  constructor(options: MemoryBudgetOptions) {
    this.#options = options
  }

  /** Admits a heavy request; to be called again when it ends, with the function that this returns. Throws the refusal. */
  enter(projectId: string): () => void {
    const own = this.#heavy.get(projectId) ?? 0
    const isFull = own > 0 || this.#heavy.size >= mostPastBudget
    if (isFull && this.#isExceeded()) {
      this.#refused += 1
      throw this.#options.refusal()
    }
    this.#heavy.set(projectId, own + 1)
    let isUnderWay = true
    return () => {
      if (!isUnderWay) return
      isUnderWay = false
      const left = (this.#heavy.get(projectId) ?? 0) - 1
      if (left > 0) this.#heavy.set(projectId, left)
      else this.#heavy.delete(projectId)
    }
  }

  /** Frees caches while the budget is exceeded; to be called every few seconds. */
  check(): void {
    if (this.#isExceeded()) this.#options.relieve()
  }

  status(): MemoryStatus {
    const { bytes: budgetBytes, resident } = this.#options
    const heavy = [...this.#heavy.values()].reduce((sum, count) => sum + count, 0)
    return { residentBytes: resident(), budgetBytes, heavy, refused: this.#refused }
  }

  #isExceeded(): boolean {
    return this.#options.resident() > this.#options.bytes
  }
}
