import { CairnError } from '@cairn/contract'
import type { FairQueue, Tenant } from '../../../lib/fair-queue.ts'

export interface TurnOptions {
  /** Places in which reading begins. */
  quick: FairQueue
  /** Places of files that take long. */
  long: FairQueue
  /** Bytes of the files of one project that may wait or be read. */
  maxBytesPerProject: number
}

/** For so long a file may be read in a place of the first kind that others want; the start of a child is not reading. */
const quickMs = 2_000
const lookMs = 100

/** Begins, or begins again, the reading of a file; an abort ends it. `onStart` is called when a child has the file. */
type Start<T> = (onStart: () => void, signal?: AbortSignal) => Promise<T>

/**
 * Shares the reading of files among tenants. Every file begins in a quick place. After two seconds it moves to a long
 * place if one is free; if none is and others wait, its reading is ended, and begins again when a long place is its
 * tenant's. So a short file waits for about two seconds at most, however many files of others take long.
 */
export class ExtractionTurns {
  readonly #options: TurnOptions
  /** Bytes that wait or are read, by project. */
  readonly #held = new Map<string, number>()

  constructor(options: TurnOptions) {
    this.#options = options
  }

  /**
   * Aborting removes a waiting file from the queue, or ends its reading.
   *
   * @throws CairnError `rate_limited` when too much of the tenant waits already, and what `start` throws
   */
  async run<T>(tenant: Tenant, bytes: number, start: Start<T>, signal?: AbortSignal): Promise<T> {
    const [projectId] = tenant
    const before = this.#held.get(projectId) ?? 0
    if (before > 0 && before + bytes > this.#options.maxBytesPerProject) throw tooManyBytes()
    this.#held.set(projectId, before + bytes)
    try {
      const done = await this.#runQuickly(tenant, start, signal)
      return done ? done.result : await this.#options.long.run(tenant, () => start(() => {}, signal), signal)
    } finally {
      const left = (this.#held.get(projectId) ?? 0) - bytes
      if (left > 0) this.#held.set(projectId, left)
      else this.#held.delete(projectId)
    }
  }

  /** Undefined when the place was wanted by others before the file was read. */
  async #runQuickly<T>(
    tenant: Tenant,
    start: Start<T>,
    signal?: AbortSignal,
  ): Promise<{ result: T } | undefined> {
    const { quick, long } = this.#options
    let leave = await quick.enter(tenant, signal)
    const abort = new AbortController()
    let from = Number.POSITIVE_INFINITY
    const onStart = () => {
      from = performance.now()
    }
    const timer = setInterval(() => {
      if (performance.now() - from < quickMs) return
      const leaveLong = long.enterNow(tenant)
      if (leaveLong) {
        clearInterval(timer)
        leave()
        leave = leaveLong
      } else if (quick.isWantedByOthers(tenant)) abort.abort()
    }, lookMs)
    try {
      const signals = signal ? [abort.signal, signal] : [abort.signal]
      return { result: await start(onStart, AbortSignal.any(signals)) }
    } catch (error) {
      if (abort.signal.aborted && !signal?.aborted) return undefined
      throw error
    } finally {
      clearInterval(timer)
      leave()
    }
  }
}

function tooManyBytes(): CairnError {
  const message =
    'the files that wait to be read are too large together; send fewer at a time (CAIRN_MAX_WAITING_FILE_BYTES)'
  return new CairnError('rate_limited', message, { retryAfter: 5 })
}
