/** The change from a to b in percent; 0 when both are 0, 100 when only a is. JSON has no infinity. */
export function changePercent(a: number, b: number): number {
  if (a === b) return 0
  if (a === 0) return 100
  return Math.min((b / a - 1) * 100, Number.MAX_VALUE)
}
