export { eachPosting } from './posting-bytes.ts'
export {
  bodyFrequency,
  type ChunkFields,
  headingFrequency,
  type Segment,
  segmentFormat,
  segmentOf,
} from './segment.ts'
export { chunkCountOf, decodeSegment, encodeSegment } from './segment-bytes.ts'
export { type StoredSegment, storedSegment } from './stored-segment.ts'
export { grown, packTerms, TermTable, unpackTerms } from './term-table.ts'
