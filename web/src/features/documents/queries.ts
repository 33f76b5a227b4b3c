import { queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'

/** Number of chunks in a page. */
export const chunkPage = 100

const documentKey = (chatId: string, fileId: string) => ['chats', chatId, 'documents', fileId]

/** The index of a chunk in its document. */
export function chunkPlaceQuery(chatId: string, fileId: string, chunkId: string) {
  return queryOptions({
    queryKey: [...documentKey(chatId, fileId), 'place', chunkId],
    queryFn: async ({ signal }) => {
      const query = { chunk_id: chunkId, limit: chunkPage }
      const { chunks } = await client.documents.chunks(chatId, fileId, query, { signal })
      return chunks.find(({ chunk_id }) => chunk_id === chunkId)?.order
    },
  })
}

/** A page of the chunks of a document; page 0 is the first. */
export function chunksQuery(chatId: string, fileId: string, page: number) {
  return queryOptions({
    queryKey: [...documentKey(chatId, fileId), 'chunks', page],
    queryFn: ({ signal }) => {
      const query = { offset: page * chunkPage, limit: chunkPage }
      return client.documents.chunks(chatId, fileId, query, { signal })
    },
  })
}
