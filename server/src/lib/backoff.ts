export interface Backoff {
  /** Wait before the second try; it doubles after each try. */
  baseMs: number
  maxMs: number
}

/** Varies a wait by up to a tenth, so that jobs that failed together do not return together. */
export function jittered(ms: number, random = Math.random()): number {
  return Math.round(ms * (0.9 + 0.2 * random))
}

/** Milliseconds to wait after the `attempt`th try (from 1) has failed. */
export function backoffMs(attempt: number, { baseMs, maxMs }: Backoff, random = Math.random()): number {
  return Math.min(maxMs, jittered(baseMs * 2 ** Math.min(attempt - 1, 40), random))
}
