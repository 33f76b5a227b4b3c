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
