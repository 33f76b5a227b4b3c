import type { RelationType } from './types.ts'

/**
 * Weights in the order of `relatedFeatures`. `node bench/src/fit-relationships.ts` fits them to the labelled training
 * texts in `bench/data/relationships`.
 */
export const relatedWeights = [
  -1.97, 1.1, 0.62, 1.58, 0.7, 0.46, 0.78, -2.03, 2.97, 0.94, 0.85, -0.43, 0.69, 0.88,
]

/** Weights by type, in the order of `typeFeatures`, fitted in the same way. */
export const typeWeights: Record<RelationType, readonly number[]> = {
  INTRODUCES: [-3.69, 3.14, 0.77, 0, 0, 0, 0],
  CONCLUDES: [-3.41, 0, 0, 2.26, 0, 0, 0],
  EXPLAINS: [-2.89, 0, 0, 0, 1.98, 0, 0],
  SUPPORTS: [-3.15, 0, 0, 0, 0, 2.23, 0.31],
  ELABORATES: [0, 0, 0, 0, 0, 0, 0],
}
