export interface Backoff {
  /** Before the second try; doubles from try to try. */
  baseMs: number
  maxMs: number
}

/** A wait of that length, give or take a tenth: what failed together must not come back together. */
export function jittered(ms: number, random = Math.random()): number {
  return Math.round(ms * (0.9 + 0.2 * random))
}

/** Milliseconds to wait after the `attempt`th try (from 1) has failed. */
export function backoffMs(attempt: number, { baseMs, maxMs }: Backoff, random = Math.random()): number {
  return Math.min(maxMs, jittered(baseMs * 2 ** Math.min(attempt - 1, 40), random))
}
