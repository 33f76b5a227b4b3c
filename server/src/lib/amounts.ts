/** Sums of many small amounts end in noise: `0.1 + 0.2` as 0.3. */
export function withoutNoise(amount: number): number {
  return Math.round(amount * 1e9) / 1e9
}
