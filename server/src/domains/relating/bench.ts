/** What benchmarks alone use of this domain. */
export { relateLocally } from './local.ts'
export { candidatePairs, relatedFeatures, typeFeatures } from './pairs.ts'
export { relationTypes } from './types.ts'
