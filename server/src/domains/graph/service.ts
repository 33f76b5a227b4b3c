import type { GraphData, GraphNode } from '@cairn/contract'
import type { GraphStore } from './store.ts'

export class GraphService {
  readonly #store: GraphStore

  constructor(store: GraphStore) {
    this.#store = store
  }

  /** All documents and chunks of a chat with their relationships. */
  async read(chatId: string): Promise<GraphData> {
    const [documents, chunks, relationships] = await Promise.all([
      this.#store.documents(chatId),
      this.#store.chunks(chatId),
      this.#store.relationships(chatId),
    ])
    const documentNodes = documents.map(
      ({ file_id, filename, created_at, size_bytes }): GraphNode => ({
        id: file_id,
        labels: ['Document'],
        properties: { id: file_id, filename, chatId, uploadDate: created_at, sizeBytes: size_bytes },
      }),
    )
    const chunkNodes = chunks.map(
      ({ chunk_id, text }): GraphNode => ({
        id: chunk_id,
        labels: ['Chunk'],
        properties: { id: chunk_id, text, chatId },
      }),
    )
    return { nodes: [...documentNodes, ...chunkNodes], relationships }
  }
}
