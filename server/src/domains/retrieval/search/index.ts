export { ChatIndex, type IndexDocument, type SearchOptions } from './chat-index.ts'
export { Query } from './query.ts'
