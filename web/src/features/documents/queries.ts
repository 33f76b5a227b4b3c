import { queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'

/** Chunks that are read at once. */
export const chunkPage = 100
/** How often it is asked how far uploads are, in ms. */
const watchMs = 400

export const filesKey = (chatId: string) => ['chats', chatId, 'files']
const documentKey = (chatId: string, fileId: string) => ['chats', chatId, 'documents', fileId]

/** All files of a chat, newest first, with those that the server is working on. */
export function filesQuery(chatId: string, { isWatched = false } = {}) {
  return queryOptions({
    queryKey: filesKey(chatId),
    queryFn: ({ signal }) => client.documents.list(chatId, { signal }),
    refetchInterval: ({ state }) => (isWatched || state.data?.uploads ? watchMs : false),
  })
}

/** Where a chunk stands in its document. */
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

/** A page of a document's chunks; page 0 begins with the first. */
export function chunksQuery(chatId: string, fileId: string, page: number) {
  return queryOptions({
    queryKey: [...documentKey(chatId, fileId), 'chunks', page],
    queryFn: ({ signal }) => {
      const query = { offset: page * chunkPage, limit: chunkPage }
      return client.documents.chunks(chatId, fileId, query, { signal })
    },
  })
}
