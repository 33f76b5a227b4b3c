/** Exports that only benchmarks use. */
export { ChatIndex, type IndexDocument, Query, type SearchOptions } from './search/index.ts'
export { decodeSegment, encodeSegment, segmentOf } from './segments/index.ts'
export { fitLsa, projectSegment, toUnitVectors } from './vectors/index.ts'
export { Scratch } from './wasm/index.ts'
