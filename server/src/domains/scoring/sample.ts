import { sha256 } from '../../lib/hash.ts'

/**
 * Whether a trace is in a sample of that share. It follows from the id alone: the same traces after a restart, and all
 * of a small sample are in a larger one.
 */
export function isSampled(traceId: string, rate: number): boolean {
  return Number.parseInt(sha256(traceId).slice(0, 12), 16) / 2 ** 48 < rate
}

/** The id of the one score that a batch or a rule gives a trace. */
export function scoreIdOf(sourceId: string, traceId: string): string {
  const number = BigInt(`0x${sha256(`${sourceId} ${traceId}`)}`)
  return `scr_${number.toString(36).slice(-20).padStart(20, '0')}`
}
