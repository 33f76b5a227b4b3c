/** Counters with windows of one minute: requests per user, by kind, and wrong credentials per address. */
export type WindowKind = 'query' | 'upload' | 'bulk' | 'rating' | 'wrong-key' | 'wrong-admin-token'

/** The state of a limit in its current window. The first request opens a window. */
export interface WindowState {
  remaining: number
  /** Unix time in milliseconds. */
  endsMs: number
  /** Milliseconds until the window ends. */
  waitMs: number
  isOver: boolean
}

/** Counts requests against limits. Several processes may share the counters. */
export interface RateLimits {
  /** Counts one request in the window of the subject, unless the limit is reached. The first request opens the window. */
  take(kind: WindowKind, subject: string, limit: number): Promise<WindowState>
  /** Like `take`, but does not count and does not open a window. */
  look(kind: WindowKind, subject: string, limit: number): Promise<WindowState>
  /**
   * Takes a token from the bucket of a key. `perSecond` is both the refill rate and the capacity. Returns the seconds to
   * wait if the bucket is empty, otherwise undefined.
   */
  takeToken(keyId: string, perSecond: number): Promise<number | undefined>
}

export const windowMs = 60_000

/** When it knows this many subjects, a limiter forgets the oldest. */
const maxSubjects = 100_000

function trim(subjects: Map<string, unknown>): void {
  const oldest = subjects.keys().next()
  if (subjects.size > maxSubjects && !oldest.done) subjects.delete(oldest.value)
}

interface Window {
  count: number
  endsMs: number
}

/** Rate limits of one process, in its memory. */
export class InMemoryRateLimits implements RateLimits {
  readonly #buckets = new Map<string, { tokens: number; at: number }>()
  /** Separate maps per kind, so that counters for addresses cannot displace counters for users. */
  readonly #windows = new Map<WindowKind, Map<string, Window>>()

  async take(kind: WindowKind, subject: string, limit: number): Promise<WindowState> {
    const now = Date.now()
    const windows = this.#windowsOf(kind)
    let window = windows.get(subject)
    if (!window || window.endsMs <= now) {
      window = { count: 0, endsMs: now + windowMs }
      // Re-insert at the end: the map's first entry is the oldest and is forgotten first.
      windows.delete(subject)
      windows.set(subject, window)
      trim(windows)
    }
    const isOver = window.count >= limit
    if (!isOver) window.count++
    return stateOf(window, { limit, now, isOver })
  }

  async look(kind: WindowKind, subject: string, limit: number): Promise<WindowState> {
    const now = Date.now()
    const known = this.#windowsOf(kind).get(subject)
    const window = known && known.endsMs > now ? known : { count: 0, endsMs: now + windowMs }
    return stateOf(window, { limit, now, isOver: window.count >= limit })
  }

  async takeToken(keyId: string, perSecond: number): Promise<number | undefined> {
    const now = performance.now()
    const bucket = this.#buckets.get(keyId) ?? { tokens: perSecond, at: now }
    bucket.tokens = Math.min(perSecond, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    this.#buckets.set(keyId, bucket)
    trim(this.#buckets)
    if (bucket.tokens < 1) return (1 - bucket.tokens) / perSecond
    bucket.tokens -= 1
    return undefined
  }

  #windowsOf(kind: WindowKind): Map<string, Window> {
    const windows = this.#windows.get(kind) ?? new Map<string, Window>()
    this.#windows.set(kind, windows)
    return windows
  }
}

function stateOf(
  { count, endsMs }: Window,
  { limit, now, isOver }: { limit: number; now: number; isOver: boolean },
): WindowState {
  return { remaining: Math.max(0, limit - count), endsMs, waitMs: Math.max(0, endsMs - now), isOver }
}
