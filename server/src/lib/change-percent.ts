/** The change from a to b in percent: 0 if both are 0, and 100 if only a is 0, because JSON has no infinity. */
export function changePercent(a: number, b: number): number {
  if (a === b) return 0
  if (a === 0) return 100
  return Math.min((b / a - 1) * 100, Number.MAX_VALUE)
}
