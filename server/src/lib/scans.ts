/*
 * A scan looks at the traces or scores of a period along an index, for filters without an index.
 *
 * It reads slices. A query finds the position of the last of the next rows, and one statement reads up to this position. The
 * duration of the previous slice determines the number of rows, so that a slice takes about 50 ms. Each slice waits for its
 * turn in the queue `scans`, which serves the project with the least service; the number of waiting requests per project is
 * limited. The time limit counts only the slices of the request itself. A statement that searches texts is ended after two
 * seconds, and the scan continues with fewer rows. Steps of other large reads (sessions, pages of large traces, the graph of
 * a chat, filters of batches) use the same queue. A client disconnect ends a scan before its next slice.
 */

import { isStatementTimeout } from './database-error.ts'
import type { FairQueue, Tenant } from './fair-queue.ts'

/** Target duration of a slice, because other scans wait for it. */
const targetMs = 50
/** Rows of the first slice, before its duration is known. */
const firstRows = 500
const maxRows = 25_000
/** Maximum growth of the number of rows from one slice to the next. */
const growth = 4

interface ScansOptions {
  queue: FairQueue
  /** Time limit of one request; only its own slices count. */
  limitMs: number
  /** Creates the error for a scan over its time limit. */
  refusal: () => Error
}

interface ScanOptions {
  /** Ends the scan before its next slice. */
  signal?: AbortSignal | undefined
  limitMs?: number
  /** The request has already started, so it waits and is never rejected. */
  isLetIn?: boolean
}

/** The slices of a scan. Positions in an index delimit them. */
interface Slices<P> {
  /** The first slice begins after this position; undefined means at the newest row. */
  after: P | undefined
  /** The position of the last of the next `rows` rows; undefined if fewer rows remain. */
  boundary(after: P | undefined, rows: number): Promise<P | undefined>
  /** Reads the rows after one position up to and including another; returns whether the scan is complete. */
  read(after: P | undefined, last: P | undefined): Promise<boolean>
}

/** Reads rows that no index selects, in slices, each at its tenant's turn. */
export class Scans {
  readonly #options: ScansOptions

  constructor(options: ScansOptions) {
    this.#options = options
  }

  begin(tenant: Tenant, options: ScanOptions = {}): Scan {
    return new Scan(this.#options, tenant, options)
  }
}

/** The scan of one request. */
export class Scan {
  readonly #queue: FairQueue
  readonly #tenant: Tenant
  readonly #signal: AbortSignal | undefined
  readonly #limitMs: number
  readonly #refusal: () => Error
  #isLetIn: boolean
  #spentMs = 0
  #rows = firstRows

  constructor({ queue, refusal, limitMs }: ScansOptions, tenant: Tenant, options: ScanOptions) {
    this.#queue = queue
    this.#tenant = tenant
    this.#refusal = refusal
    this.#signal = options.signal
    this.#limitMs = options.limitMs ?? limitMs
    this.#isLetIn = options.isLetIn ?? false
  }

  /**
   * Reads slice by slice, in index order.
   *
   * @throws the `refusal()` if the slices exceed the time limit; the queue's refusal if too many requests wait
   */
  async eachSlice<P>({ after, boundary, read }: Slices<P>): Promise<void> {
    for (let from = after, isOver = false; !isOver; ) {
      await this.#atTurn(async () => {
        const began = performance.now()
        try {
          const last = await boundary(from, this.#rows)
          isOver = (await read(from, last)) || last === undefined
          from = last
        } catch (error) {
          if (!isStatementTimeout(error) || this.#rows === 1) throw error
          this.#rows = Math.ceil(this.#rows / 16)
          return
        } finally {
          this.#spentMs += performance.now() - began
        }
        this.#adapt(performance.now() - began)
      })
    }
  }

  /** Reads data of known items, some items at a time. */
  eachPart<T>(items: readonly T[], read: (part: readonly T[]) => Promise<void>): Promise<void> {
    return this.eachSlice<number>({
      after: 0,
      boundary: async (from = 0, rows) => (from + rows < items.length ? from + rows : undefined),
      read: async (from, to) => {
        await read(items.slice(from, to))
        return false
      },
    })
  }

  /** A single read whose size the caller has limited. */
  async step<T>(read: () => Promise<T>): Promise<T> {
    let result: T | undefined
    await this.#atTurn(async () => {
      const began = performance.now()
      result = await read()
      this.#spentMs += performance.now() - began
    })
    return result as T
  }

  async #atTurn(task: () => Promise<void>): Promise<void> {
    if (this.#spentMs >= this.#limitMs) throw this.#refusal()
    try {
      if (this.#isLetIn) await this.#queue.resume(this.#tenant, task, this.#signal)
      else await this.#queue.run(this.#tenant, task, this.#signal)
    } catch (error) {
      throw isStatementTimeout(error) ? this.#refusal() : error
    }
    this.#isLetIn = true
  }

  #adapt(tookMs: number): void {
    const factor = Math.min(growth, targetMs / Math.max(1, tookMs))
    this.#rows = Math.min(maxRows, Math.max(1, Math.round(this.#rows * factor)))
  }
}
