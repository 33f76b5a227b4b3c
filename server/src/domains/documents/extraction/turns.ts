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

/**
 * How long each try in a quick place may take while others want the place; the start of a child does not count. Short
 * first tries keep a short file from waiting long when many users send their first file at the same time.
 */
const triesMs = [500, 1_000, 2_000]
const lookMs = 100

/** Begins, or begins again, the reading of a file; an abort ends it. `onStart` is called when a child has the file. */
type Start<T> = (onStart: () => void, signal?: AbortSignal) => Promise<T>

/**
 * Shares the reading of files among tenants. Every file begins in a quick place. When its try is over, it moves to a long
 * place if one is free. If none is and others wait, its reading ends and begins again: with a longer try in a quick
 * place, after the last try in a long place. So the long files of others delay a short file by a few short tries.
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
      for (const tryMs of triesMs) {
        const done = await this.#runQuickly(tenant, tryMs, start, signal)
        if (done) return done.result
      }
      return await this.#options.long.run(tenant, () => start(() => {}, signal), signal)
    } finally {
      const left = (this.#held.get(projectId) ?? 0) - bytes
      if (left > 0) this.#held.set(projectId, left)
      else this.#held.delete(projectId)
    }
  }

  /** Undefined when the place was wanted by others before the file was read. */
  async #runQuickly<T>(
    tenant: Tenant,
    tryMs: number,
    start: Start<T>,
    signal?: AbortSignal,
  ): Promise<{ result: T } | undefined> {
    const { quick, long } = this.#options
    const isFirst = tryMs === triesMs[0]
    let leave = await (isFirst ? quick.enter(tenant, signal) : quick.enterAgain(tenant, signal))
    const abort = new AbortController()
    let from = Number.POSITIVE_INFINITY
    const onStart = () => {
      from = performance.now()
    }
    const timer = setInterval(() => {
      if (performance.now() - from < tryMs) return
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
