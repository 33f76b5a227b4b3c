/** What is counted in windows of a minute: requests of users by kind, and wrong credentials by address. */
export type WindowKind = 'query' | 'upload' | 'bulk' | 'wrong-key' | 'wrong-admin-token'

/** What is left of a limit in the window that the first request has opened. */
export interface WindowState {
  remaining: number
  /** Unix time in milliseconds. */
  endsMs: number
  /** Until then. */
  waitMs: number
  isOver: boolean
}

/** Counts what there are limits of. Several processes may share it. */
export interface RateLimits {
  /** Counts one in the subject's window, which the first one opens, unless the limit is used up. */
  take(kind: WindowKind, subject: string, limit: number): Promise<WindowState>
  /** The same without counting or opening anything. */
  look(kind: WindowKind, subject: string, limit: number): Promise<WindowState>
  /**
   * Takes a token from the bucket of a key: `perSecond` of them flow in a second, a full bucket holds as many. Answers the
   * seconds to wait when there is none, else undefined.
   */
  takeToken(keyId: string, perSecond: number): Promise<number | undefined>
}

export const windowMs = 60_000

/** A limiter forgets subjects it has not seen for a while once it knows this many. */
const maxSubjects = 100_000

function trim(subjects: Map<string, unknown>): void {
  const oldest = subjects.keys().next()
  if (subjects.size > maxSubjects && !oldest.done) subjects.delete(oldest.value)
}

interface Window {
  count: number
  endsMs: number
}

/** The limits of one process, in its memory. */
export class InMemoryRateLimits implements RateLimits {
  readonly #buckets = new Map<string, { tokens: number; at: number }>()
  /** By kind, so that nobody who is counted by address can push out users. */
  readonly #windows = new Map<WindowKind, Map<string, Window>>()

  async take(kind: WindowKind, subject: string, limit: number): Promise<WindowState> {
    const now = Date.now()
    const windows = this.#windowsOf(kind)
    let window = windows.get(subject)
    if (!window || window.endsMs <= now) {
      window = { count: 0, endsMs: now + windowMs }
      // Behind all others: the oldest is the first to be forgotten.
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
