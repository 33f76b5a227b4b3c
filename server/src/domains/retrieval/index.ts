export { ChatIndex, type Hit, type IndexDocument, type SearchOptions } from './chat-index.ts'
export { type DocumentEmbedding, Embeddings } from './embeddings.ts'
export { fitLsa, foldSegment } from './lsa.ts'
export { createIndexingPool } from './pool.ts'
export { type ChunkFields, segmentOf } from './segment.ts'
export { decodeSegment, encodeSegment } from './segment-bytes.ts'
export { type RetrievalRequest, RetrievalService } from './service.ts'
export { createRetrievalStore } from './store.ts'
export { createNeighbourStore } from './store-neighbours.ts'
export {
  deleteSegments,
  dropSegment,
  type StoredSegment,
  segmentRow,
  storedSegment,
  touchSegment,
} from './store-segments.ts'
export { afterEmbedding, createVectorStore, embeddingRows, vectorQueue } from './store-vectors.ts'
export { vectorJobs } from './vector-jobs.ts'
export { toUnitVectors } from './vector-matrix.ts'
