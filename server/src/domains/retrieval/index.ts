/*
 * Search indexes of chats in memory, the rankers that score chunks, stored segments and vectors, and background work on
 * vectors.
 *
 * - `segments/` has the terms of a document as stored bytes, and `vectors/` its embeddings and LSA vectors.
 * - `search/` ranks the chunks of a chat in memory. `wasm/` has its inner loops: `row-functions.wat` is compiled to
 *   WebAssembly.
 * - `indexing/` computes segments and vectors in the background, in child processes.
 *
 * A search uses the index in memory. If its version is older than the chat's, the documents that changed since then are added
 * first. Scope filters and the list of files apply before ranking. The rankers (words, similar spelling, vectors) are
 * combined, and neighbours in the graph are added.
 *
 * A search, or the selection of sentences for an extractive answer, blocks the event loop for up to 0.1 s in a chat of
 * 100,000 chunks. Each waits for the tenant's turn in the queue `searches`. The queue runs one at a time, lets other requests
 * run first, and pauses after long work (`lib/turns.ts`). Loading indexes has a queue, too. If the memory for indexes is
 * full, a project with more than an equal share loses its own indexes first (`index-cache.ts`).
 */

export { EmbeddingService } from './embedding-service.ts'
export { createIndexingPool, vectorJobs } from './indexing/index.ts'
export { embeddingRoutes } from './routes.ts'
export { Query } from './search/index.ts'
export { type ChunkFields, type StoredSegment, storedSegment } from './segments/index.ts'
export { type FoundChunk, RetrievalService } from './service.ts'
export { type ChunkPlace, createRetrievalStore } from './store.ts'
export { createEmbeddingStore } from './store-embedding.ts'
export { createNeighbourStore } from './store-neighbours.ts'
export { deleteSegments, invalidateSegment, segmentRow, setSegmentVersion } from './store-segments.ts'
export { afterEmbedding, createVectorStore, embeddingRows } from './store-vectors.ts'
export { type DocumentEmbedding, Embeddings } from './vectors/index.ts'
export { Scratch } from './wasm/index.ts'
