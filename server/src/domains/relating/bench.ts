/** Exports that only benchmarks use. */
export { relateLocally } from './local.ts'
export { candidatePairs, relatedFeatures, typeFeatures } from './pairs.ts'
export { relationTypes } from './types.ts'
