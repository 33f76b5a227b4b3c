/**
 * Values by key for a limited time. Missing values are not cached. `clear` also invalidates running loads, so that a
 * value read before a change is never cached after it.
 */
export class ExpiringCache<V> {
  readonly #ttlMs: number
  readonly #maxEntries: number
  #entries = new Map<string, { value: V; expires: number }>()

  constructor(ttlMs: number, maxEntries: number) {
    this.#ttlMs = ttlMs
    this.#maxEntries = maxEntries
  }

  async getOrLoad(key: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const known = this.#entries.get(key)
    if (known && known.expires > performance.now()) return known.value
    const entries = this.#entries
    const value = await load()
    if (value !== undefined) {
      entries.delete(key)
      entries.set(key, { value, expires: performance.now() + this.#ttlMs })
      const oldest = entries.keys().next()
      if (entries.size > this.#maxEntries && !oldest.done) entries.delete(oldest.value)
    }
    return value
  }

  clear(): void {
    this.#entries = new Map()
  }
}
