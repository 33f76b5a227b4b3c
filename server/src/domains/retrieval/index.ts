/*
 * Search indexes of chats in memory, the rankers that score chunks, stored segments and vectors, and background work on
 * vectors. `row-functions.wat` is compiled to WebAssembly.
 *
 * An index is taken from memory. If its version is behind the chat's, the documents that changed since are added first. Scope
 * filters and the list of files apply before ranking. The rankers (words, similar spelling, vectors) are combined, and
 * neighbours in the graph are added.
 *
 * Searching, and selecting sentences of a local answer, keep the event loop busy, for up to 0.1 s in a chat of 100,000
 * chunks. Each such piece waits for the tenant's turn in the queue `searches`, which serves one
 * at a time and lets other requests run first. Loading indexes has a queue too. If the memory for indexes is full, a project
 * with more than an equal share loses its own indexes first (`kept-indexes.ts`).
 */

export { ChatIndex, type Hit, type IndexDocument, type SearchOptions } from './chat-index.ts'
export { type DocumentEmbedding, Embeddings } from './embeddings.ts'
export { fitLsa, foldSegment } from './lsa.ts'
export { createIndexingPool } from './pool.ts'
export { type ChunkFields, segmentOf } from './segment.ts'
export { decodeSegment, encodeSegment } from './segment-bytes.ts'
export { type RetrievalRequest, RetrievalService } from './service.ts'
export { createRetrievalStore } from './store.ts'
export { createNeighbourStore } from './store-neighbours.ts'
export { dropSegment, type StoredSegment, segmentRow, storedSegment, touchSegment } from './store-segments.ts'
export { afterEmbedding, createVectorStore, embeddingRows, vectorQueue } from './store-vectors.ts'
export { vectorJobs } from './vector-jobs.ts'
export { toUnitVectors } from './vector-matrix.ts'
