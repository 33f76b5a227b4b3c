export interface MemoryBudgetOptions {
  /** Above this resident memory, heavy work is limited. */
  bytes: number
  /** The resident memory of the process, in bytes. */
  resident: () => number
  /** Frees memory that can be computed again, such as caches. */
  relieve: () => void
  /** Creates the error for rejected work. */
  refusal: () => Error
}

export interface MemoryStatus {
  residentBytes: number
  budgetBytes: number
  /** Running heavy requests. */
  heavy: number
  /** Heavy requests rejected since the start. */
  refused: number
}

/** Above the budget, this many projects may each have one running heavy request. */
const mostPastBudget = 4

/**
 * Admits heavy work according to the memory of the whole process. Within the budget, everything is admitted. Above it,
 * each project may have one heavy request at a time, so a project that fills the memory does not block others. Progress
 * is guaranteed: if no heavy work is running, the next request is admitted, whatever the memory in use.
 */
export class MemoryBudget {
  readonly #options: MemoryBudgetOptions
  readonly #heavy = new Map<string, number>()
  #refused = 0

  constructor(options: MemoryBudgetOptions) {
    this.#options = options
  }

  /** Admits a heavy request. Call the returned function when the request ends. Throws the refusal. */
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

  /** Frees caches while the budget is exceeded. Call it every few seconds. */
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
