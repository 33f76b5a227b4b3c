/** An index in memory, charged to a project. */
interface CacheEntry {
  projectId: string
  index: { readonly bytes: number }
}

/**
 * A cache of indexes, by chat. Above the limit, the least recently used index of one project is evicted. This is the
 * project that adds an index, if it has more than an equal share, otherwise the project with the most memory. So a
 * project with hundreds of chats evicts its own indexes.
 */
export class IndexCache<K extends CacheEntry> {
  readonly #maxBytes: number
  /** Least recently used first. */
  readonly #entries = new Map<string, K>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Returns the index of a chat and marks it as recently used. */
  get(chatId: string): K | undefined {
    const entry = this.#entries.get(chatId)
    if (entry) {
      this.#entries.delete(chatId)
      this.#entries.set(chatId, entry)
    }
    return entry
  }

  /** Adds an index, which is never evicted by this call, because a search is about to use it. */
  add(chatId: string, newest: K): void {
    this.#entries.delete(chatId)
    this.#entries.set(chatId, newest)
    this.#evict(this.#maxBytes, newest)
  }

  /** Evicts indexes until half of the memory is free, but keeps at least a quarter of the limit. */
  shrink(): void {
    const [newest] = [...this.#entries.values()].slice(-1)
    if (newest) this.#evict(Math.max(this.bytes / 2, this.#maxBytes / 4), newest)
  }

  /** Approximate memory of all indexes. */
  get bytes(): number {
    return this.#entries.values().reduce((sum, { index }) => sum + index.bytes, 0)
  }

  #evict(maxBytes: number, newest: K): void {
    const bytes = new Map<string, number>()
    for (const { projectId, index } of this.#entries.values()) {
      bytes.set(projectId, (bytes.get(projectId) ?? 0) + index.bytes)
    }
    let total = this.bytes
    while (total > maxBytes && this.#entries.size > 1) {
      const [evicted, { projectId, index }] = this.#entryToEvict(this.#projectToEvict(bytes, newest), newest)
      this.#entries.delete(evicted)
      total -= index.bytes
      bytes.set(projectId, (bytes.get(projectId) ?? 0) - index.bytes)
    }
  }

  clear(): void {
    this.#entries.clear()
  }

  #projectToEvict(bytes: ReadonlyMap<string, number>, { projectId }: K): string {
    const projects = [...bytes].filter(([, size]) => size > 0)
    if ((bytes.get(projectId) ?? 0) > this.#maxBytes / projects.length) return projectId
    const [[largest] = [projectId]] = projects.sort(([, a], [, b]) => b - a)
    return largest
  }

  /** The least recently used index of the project; if it has only the newest one, the least recently used of all. */
  #entryToEvict(projectId: string, newest: K): [chatId: string, entry: K] {
    const others = [...this.#entries].filter(([, entry]) => entry !== newest)
    const next = others.find(([, entry]) => entry.projectId === projectId) ?? others[0]
    if (!next) throw new Error('the newest index cannot be evicted')
    return next
  }
}
