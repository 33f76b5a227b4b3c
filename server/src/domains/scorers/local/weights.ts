/** Weights of the features in `coverage.ts`: logistic regression, printed by `bench/src/fit-correctness.ts`. */
const weights: readonly number[] = [
  -2.84, 2.28, 1.45, 1.6, -1.27, -0.21, -0.16, -1.92, 1.69, 0.29, -0.87, 0.91, 0.76, -0.42, 0.82, 0.42, 1.52,
]

/** The probability that an answer with these features is right. */
export function probability(features: readonly number[]): number {
  const sum = features.reduce((total, value, at) => total + value * (weights[at] ?? 0), 0)
  return 1 / (1 + Math.exp(-sum))
}
