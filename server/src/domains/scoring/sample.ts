import { sha256 } from '../../lib/hash.ts'

/**
 * Whether a trace is in the sample with this rate (0 to 1). The result depends only on the id. So it is the same after a
 * restart, and a larger sample contains every smaller one.
 */
export function isSampled(traceId: string, rate: number): boolean {
  return Number.parseInt(sha256(traceId).slice(0, 12), 16) / 2 ** 48 < rate
}

/** The id of the score of a trace by a batch or a rule. A repeated attempt has the same id, so it writes no second score. */
export function scoreIdOf(sourceId: string, traceId: string): string {
  const number = BigInt(`0x${sha256(`${sourceId} ${traceId}`)}`)
  return `scr_${number.toString(36).slice(-20).padStart(20, '0')}`
}
