import { CairnError } from '@cairn/contract'

export interface GroupCommitOptions<T> {
  /** Writes all items in one transaction, or none. */
  flush: (items: T[]) => Promise<void>
  /** Bounds of what may wait; past them `add` refuses with `overloaded`. */
  maxWaiting: number
  maxWaitingBytes: number
  /** The largest number of items in one transaction. */
  maxGroup: number
}

interface Waiting<T> {
  item: T
  bytes: number
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Group commit: items that arrive while a transaction is being written go into the next one together. A flush
 * begins when the last one ends, so the latency is one flush, and the throughput grows with the load.
 */
export class GroupCommit<T> {
  readonly #options: GroupCommitOptions<T>
  #waiting: Waiting<T>[] = []
  #bytes = 0
  #running: Promise<void> | undefined

  constructor(options: GroupCommitOptions<T>) {
    this.#options = options
  }

  /** Resolves when the item is durable. `bytes` is its approximate size in memory. */
  add(item: T, bytes: number): Promise<void> {
    const { maxWaiting, maxWaitingBytes } = this.#options
    if (this.#waiting.length >= maxWaiting || this.#bytes + bytes > maxWaitingBytes) {
      return Promise.reject(
        new CairnError('overloaded', 'the write queue is full; try again shortly', { retryAfter: 1 }),
      )
    }
    this.#bytes += bytes
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, bytes, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #run(): Promise<void> {
    // Requests of the same turn of the event loop share the first transaction.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#options.maxGroup)
      await this.#write(group)
      for (const { bytes } of group) this.#bytes -= bytes
    }
    this.#running = undefined
  }

  async #write(group: Waiting<T>[]): Promise<void> {
    try {
      await this.#options.flush(group.map(({ item }) => item))
      for (const { resolve } of group) resolve()
    } catch (error) {
      const [first, ...others] = group
      if (others.length === 0) return first?.reject(error)
      // One item may have sunk the others (its project was just deleted, say): each gets its own try.
      for (const one of group) await this.#write([one])
    }
  }
}
