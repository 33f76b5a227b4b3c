/** Something in memory that is kept for a project. */
interface Kept {
  projectId: string
  index: { readonly bytes: number }
}

/**
 * The indexes in memory, by chat. Past the limit the project that adds one loses its least recently used index when it
 * has more than an equal share; else the project with the most does: one with hundreds of chats pushes out its own.
 */
export class KeptIndexes<K extends Kept> {
  readonly #maxBytes: number
  /** Least recently used first. */
  readonly #kept = new Map<string, K>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Counts as a use. */
  get(chatId: string): K | undefined {
    const kept = this.#kept.get(chatId)
    if (kept) {
      this.#kept.delete(chatId)
      this.#kept.set(chatId, kept)
    }
    return kept
  }

  /** Keeps this one in any case: the question that asked for it needs it. */
  add(chatId: string, newest: K): void {
    this.#kept.delete(chatId)
    this.#kept.set(chatId, newest)
    this.#evict(this.#maxBytes, newest)
  }

  /** Frees half of the memory, down to a quarter of the limit. */
  shrink(): void {
    const [newest] = [...this.#kept.values()].slice(-1)
    if (newest) this.#evict(Math.max(this.bytes / 2, this.#maxBytes / 4), newest)
  }

  /** Approximate memory of all indexes. */
  get bytes(): number {
    return this.#kept.values().reduce((sum, { index }) => sum + index.bytes, 0)
  }

  #evict(maxBytes: number, newest: K): void {
    const bytes = new Map<string, number>()
    for (const { projectId, index } of this.#kept.values()) {
      bytes.set(projectId, (bytes.get(projectId) ?? 0) + index.bytes)
    }
    let total = this.bytes
    while (total > maxBytes && this.#kept.size > 1) {
      const [gone, { projectId, index }] = this.#next(this.#projectToEvict(bytes, newest), newest)
      this.#kept.delete(gone)
      total -= index.bytes
      bytes.set(projectId, (bytes.get(projectId) ?? 0) - index.bytes)
    }
  }

  clear(): void {
    this.#kept.clear()
  }

  #projectToEvict(bytes: ReadonlyMap<string, number>, { projectId }: K): string {
    const projects = [...bytes].filter(([, held]) => held > 0)
    if ((bytes.get(projectId) ?? 0) > this.#maxBytes / projects.length) return projectId
    const [[largest] = [projectId]] = projects.sort(([, a], [, b]) => b - a)
    return largest
  }

  /** The least recently used of the project; of all when that has no other than the newest. */
  #next(projectId: string, newest: K): [chatId: string, kept: K] {
    const others = [...this.#kept].filter(([, kept]) => kept !== newest)
    const next = others.find(([, kept]) => kept.projectId === projectId) ?? others[0]
    if (!next) throw new Error('there is no index but the newest')
    return next
  }
}
