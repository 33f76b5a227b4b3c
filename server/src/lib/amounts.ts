/** Removes floating-point noise from a sum of small amounts, so that 0.1 + 0.2 gives 0.3. */
export function withoutNoise(amount: number): number {
  return Math.round(amount * 1e9) / 1e9
}
