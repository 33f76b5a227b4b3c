/*
 * Documents, chunks and relationships as a graph, and the chat of a node.
 *
 * The graph of a chat is streamed: a few documents with their chunks at a time, then the relationships among these chunks.
 * HAS_CHUNK and NEXT are derived from the chunks and not stored (`links.ts`), except properties that callers set on them.
 */

export { RelationshipService } from './relationships.ts'
export { graphRoutes } from './routes.ts'
export { relationshipRoutes } from './routes-relationships.ts'
export { GraphService } from './service.ts'
export { createGraphStore } from './store.ts'
export { createChatLookupStore } from './store-chat-lookup.ts'
export { createRelationshipStore } from './store-relationships.ts'
