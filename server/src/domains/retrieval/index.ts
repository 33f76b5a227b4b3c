export { createIndexingPool, vectorJobs } from './indexing/index.ts'
export { ChatIndex, type Hit, type IndexDocument, type SearchOptions } from './search/index.ts'
export {
  type ChunkFields,
  decodeSegment,
  encodeSegment,
  type StoredSegment,
  segmentOf,
  storedSegment,
} from './segments/index.ts'
export { type RetrievalRequest, RetrievalService } from './service.ts'
export { createRetrievalStore } from './store.ts'
export { createNeighbourStore } from './store-neighbours.ts'
export { dropSegment, segmentRow, touchSegment } from './store-segments.ts'
export { afterEmbedding, createVectorStore, embeddingRows, vectorQueue } from './store-vectors.ts'
export { type DocumentEmbedding, Embeddings, fitLsa, foldSegment, toUnitVectors } from './vectors/index.ts'
