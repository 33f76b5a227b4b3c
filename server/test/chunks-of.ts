import type { ChunkNode, GraphStore } from '../src/domains/graph/store.ts'

/** Reads all chunks of a chat. */
export async function chunksOf(store: GraphStore, chatId: string): Promise<ChunkNode[]> {
  const documents = await store.documents(chatId)
  if (documents.length === 0) return []
  return store.chunks(
    chatId,
    documents.map(({ file_id }) => file_id),
  )
}
