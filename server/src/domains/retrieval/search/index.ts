export { ChatIndex, type Hit, type IndexDocument, type SearchOptions } from './chat-index.ts'
