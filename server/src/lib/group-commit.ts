export interface GroupCommitOptions<T> {
  /** Writes all items in one transaction, or none. */
  flush: (items: T[]) => Promise<void>
  /** What may wait; past it `add` rejects with `refusal()`. */
  maxWaiting: Weight
  refusal: () => Error
  /** A failure that each item would meet by itself too, such as a database that is away. */
  isShared: (error: unknown) => boolean
  /** A transaction ends with the item that reaches this. */
  maxGroup: Weight
}

/** The size of an item: rows it writes, and bytes of memory it holds. */
export interface Weight {
  rows: number
  bytes: number
}

interface Waiting<T> {
  item: T
  weight: Weight
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
  readonly #load: Weight = { rows: 0, bytes: 0 }
  #running: Promise<void> | undefined

  constructor(options: GroupCommitOptions<T>) {
    this.#options = options
  }

  /** Resolves when the item is durable. */
  add(item: T, weight: Weight): Promise<void> {
    const { maxWaiting } = this.#options
    // What comes to an empty queue is always taken: each request is bounded by itself.
    const full =
      this.#load.rows + weight.rows > maxWaiting.rows || this.#load.bytes + weight.bytes > maxWaiting.bytes
    if (full && this.#load.rows > 0) {
      return Promise.reject(this.#options.refusal())
    }
    this.#load.rows += weight.rows
    this.#load.bytes += weight.bytes
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, weight, resolve, reject })
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
      const group = this.#waiting.splice(0, this.#groupLength())
      await this.#write(group)
      for (const { weight } of group) {
        this.#load.rows -= weight.rows
        this.#load.bytes -= weight.bytes
      }
    }
    this.#running = undefined
  }

  /** How many of the waiting items go into the next transaction; at least one. */
  #groupLength(): number {
    const { maxGroup } = this.#options
    const total: Weight = { rows: 0, bytes: 0 }
    const full = this.#waiting.findIndex(({ weight }) => {
      total.rows += weight.rows
      total.bytes += weight.bytes
      return total.rows >= maxGroup.rows || total.bytes >= maxGroup.bytes
    })
    return full === -1 ? this.#waiting.length : full + 1
  }

  async #write(group: Waiting<T>[]): Promise<void> {
    try {
      await this.#options.flush(group.map(({ item }) => item))
      for (const { resolve } of group) resolve()
    } catch (error) {
      if (group.length === 1 || this.#options.isShared(error)) {
        for (const { reject } of group) reject(error)
        return
      }
      // One item may have sunk the others (its project was just deleted, say): each gets its own try.
      for (const one of group) await this.#write([one])
    }
  }
}
