import { CairnError } from '@cairn/contract'
import type { FairQueue, Tenant } from '../../../lib/fair-queue.ts'

export interface TurnOptions {
  /** Places in which every file starts. */
  quick: FairQueue
  /** Places for files that take long. */
  long: FairQueue
  /** Maximum size of the waiting and running files of one project. */
  maxBytesPerProject: number
}

/**
 * Time limits of the tries in a quick place, in milliseconds. They apply only while other tenants wait; the start of a
 * child process does not count. The first try is short, so that a short file does not wait long when many users send
 * files at the same time.
 */
const triesMs = [500, 1_000, 2_000]
/** Interval at which a running try checks its time limit. */
const checkMs = 100

/**
 * Starts or restarts the reading of a file; an abort ends it. `onStart` is called when a child process has the file.
 */
type Start<T> = (onStart: () => void, signal?: AbortSignal) => Promise<T>

/**
 * Shares the reading of files among tenants. Every file starts in a quick place. After the time limit of its try, it
 * moves to a free long place. If none is free and other tenants wait, its reading is aborted and starts again: with a
 * longer try in a quick place, or in a long place after the last try. So long files delay a short file of another
 * tenant by at most a few tries.
 */
export class ExtractionTurns {
  readonly #options: TurnOptions
  /** Bytes of waiting and running files, by project. */
  readonly #pendingBytes = new Map<string, number>()

  constructor(options: TurnOptions) {
    this.#options = options
  }

  /**
   * Aborting removes a waiting file from the queue, or ends its reading.
   *
   * @throws CairnError `rate_limited` if the project exceeds `maxBytesPerProject`; errors of `start`
   */
  async run<T>(tenant: Tenant, bytes: number, start: Start<T>, signal?: AbortSignal): Promise<T> {
    const [projectId] = tenant
    const before = this.#pendingBytes.get(projectId) ?? 0
    if (before > 0 && before + bytes > this.#options.maxBytesPerProject) throw tooManyBytes()
    this.#pendingBytes.set(projectId, before + bytes)
    try {
      for (const tryMs of triesMs) {
        const done = await this.#runQuickly(tenant, tryMs, start, signal)
        if (done) return done.result
      }
      return await this.#options.long.run(tenant, () => start(() => {}, signal), signal)
    } finally {
      const left = (this.#pendingBytes.get(projectId) ?? 0) - bytes
      if (left > 0) this.#pendingBytes.set(projectId, left)
      else this.#pendingBytes.delete(projectId)
    }
  }

  /** Returns undefined if the try was aborted because other tenants waited for the place. */
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
    let startedAt = Number.POSITIVE_INFINITY
    const onStart = () => {
      startedAt = performance.now()
    }
    const timer = setInterval(() => {
      if (performance.now() - startedAt < tryMs) return
      const leaveLong = long.enterNow(tenant)
      if (leaveLong) {
        clearInterval(timer)
        leave()
        leave = leaveLong
      } else if (quick.isWantedByOthers(tenant)) abort.abort()
    }, checkMs)
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
    'the waiting files of this project are too large together; send fewer at a time (CAIRN_MAX_WAITING_FILE_BYTES)'
  return new CairnError('rate_limited', message, { retryAfter: 5 })
}
