export { createIndexingPool } from './indexing/pool.ts'
export { vectorJobs } from './indexing/vector-jobs.ts'
export { ChatIndex, type Hit, type IndexDocument, type SearchOptions } from './search/chat-index.ts'
export { type ChunkFields, segmentOf } from './segments/segment.ts'
export { decodeSegment, encodeSegment } from './segments/segment-bytes.ts'
export {
  dropSegment,
  type StoredSegment,
  segmentRow,
  storedSegment,
  touchSegment,
} from './segments/store-segments.ts'
export { type RetrievalRequest, RetrievalService } from './service.ts'
export { createRetrievalStore } from './store.ts'
export { createNeighbourStore } from './store-neighbours.ts'
export { type DocumentEmbedding, Embeddings } from './vectors/embeddings.ts'
export { fitLsa, foldSegment } from './vectors/lsa.ts'
export { afterEmbedding, createVectorStore, embeddingRows, vectorQueue } from './vectors/store-vectors.ts'
export { toUnitVectors } from './vectors/vector-matrix.ts'
