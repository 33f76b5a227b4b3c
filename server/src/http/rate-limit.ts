/** A limiter forgets subjects it has not seen for a while once it knows this many. */
const maxSubjects = 100_000

function trim(subjects: Map<string, unknown>): void {
  const oldest = subjects.keys().next()
  if (subjects.size > maxSubjects && !oldest.done) subjects.delete(oldest.value)
}

/** Token buckets: `perSecond` tokens flow in a second, a full bucket holds as many. 0 switches it off. */
export class TokenBuckets {
  readonly #perSecond: number
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** Takes one token; answers the seconds to wait when there is none, else undefined. */
  take(subject: string, now = performance.now()): number | undefined {
    const rate = this.#perSecond
    if (rate === 0) return undefined
    const bucket = this.#buckets.get(subject) ?? { tokens: rate, at: now }
    bucket.tokens = Math.min(rate, bucket.tokens + ((now - bucket.at) / 1000) * rate)
    bucket.at = now
    this.#buckets.set(subject, bucket)
    trim(this.#buckets)
    if (bucket.tokens < 1) return (1 - bucket.tokens) / rate
    bucket.tokens -= 1
    return undefined
  }
}

const windowMs = 60_000

/** What is left of a limit in the window that the first request has opened. */
export interface WindowState {
  remaining: number
  /** Unix time in milliseconds. */
  endsMs: number
  isOver: boolean
}

/** Counts requests of users in windows of a minute; several processes may share them. */
export interface UserWindows {
  /** Counts a request against a limit, unless that is used up. */
  take(subject: string, limit: number): Promise<WindowState>
}

/** Counts failures in fixed windows of a minute that the first failure opens. */
export class FailureWindows {
  readonly #perMinute: number
  readonly #windows = new Map<string, { count: number; ends: number }>()

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** Seconds until the window of a subject that used up its failures ends, else undefined. */
  blockedFor(subject: string, now = performance.now()): number | undefined {
    const window = this.#windows.get(subject)
    if (!window || window.ends <= now || window.count < this.#perMinute) return undefined
    return (window.ends - now) / 1000
  }

  record(subject: string, now = performance.now()): void {
    const window = this.#windows.get(subject)
    if (window && window.ends > now) window.count += 1
    else {
      this.#windows.delete(subject)
      this.#windows.set(subject, { count: 1, ends: now + windowMs })
    }
    trim(this.#windows)
  }
}

/** Fixed windows of a minute, by subject, that the first request opens; requests that are refused do not extend them. */
export class MinuteWindows implements UserWindows {
  readonly #windows = new Map<string, { count: number; endsMs: number }>()

  async take(subject: string, limit: number, nowMs = Date.now()): Promise<WindowState> {
    let window = this.#windows.get(subject)
    if (!window || window.endsMs <= nowMs) {
      window = { count: 0, endsMs: nowMs + windowMs }
      // Behind all others: the oldest is the first to be forgotten.
      this.#windows.delete(subject)
      this.#windows.set(subject, window)
      trim(this.#windows)
    }
    const isOver = window.count >= limit
    if (!isOver) window.count++
    return { remaining: limit - window.count, endsMs: window.endsMs, isOver }
  }
}
