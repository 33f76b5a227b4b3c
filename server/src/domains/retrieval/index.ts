export { ChatIndex, type Hit, type IndexChunk, type IndexDocument, type SearchOptions } from './chat-index.ts'
export { type RetrievalRequest, RetrievalService } from './service.ts'
export { createRetrievalStore } from './store.ts'
