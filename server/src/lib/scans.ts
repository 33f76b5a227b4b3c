import { isStatementTimeout } from './database-error.ts'
import type { FairQueue, Tenant } from './fair-queue.ts'

/** A slice should take about this long: others wait for it. */
const targetMs = 50
/** Rows of the first slice, before it is known how long one takes. */
const firstRows = 500
const maxRows = 25_000
/** Rows of one slice are at most so many times those of the one before. */
const growth = 4

interface ScansOptions {
  queue: FairQueue
  /** For one request; its slices count, and not the time between them. */
  limitMs: number
  /** The error of a scan whose time is over. */
  refusal: () => Error
}

interface ScanOptions {
  /** Ends the scan before its next slice. */
  signal?: AbortSignal | undefined
  limitMs?: number
  /** The request has begun to work: it waits, and is never refused. */
  isLetIn?: boolean
}

/** A row's place in an index, by which the slices of a scan are cut. */
interface Slices<P> {
  /** The first slice begins behind it; without one at the newest row. */
  after: P | undefined
  /** The place of the last of the next rows behind a place; undefined when there are fewer. */
  boundary(after: P | undefined, rows: number): Promise<P | undefined>
  /** Reads what lies behind one place, up to and with another; answers whether the scan has what it wants. */
  read(after: P | undefined, last: P | undefined): Promise<boolean>
}

/** Reads over rows that no index answers: in slices, each at its tenant's turn. */
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
   * Reads slice by slice, in the order of the index.
   *
   * @throws the `refusal()` once the slices have taken too long; the queue's, when too many wait
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

  /** Reads about items that are known, a part of them at a time. */
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

  /** One read that the caller has bounded. */
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
