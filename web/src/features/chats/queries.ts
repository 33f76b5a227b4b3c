import { queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'

/** The last publications of a chat, newest first. */
export function publicationHistoryQuery(chatId: string) {
  return queryOptions({
    queryKey: ['chats', chatId, 'publications'],
    queryFn: ({ signal }) => client.console.chats.history(chatId, { signal }),
  })
}

const progressIntervalMs = 3_000

/** The progress of a chat's vectors, polled until it ends. */
export function embeddingProgressQuery(chatId: string) {
  return queryOptions({
    queryKey: ['chats', chatId, 'embedding'],
    queryFn: ({ signal }) => client.console.chats.embedding(chatId, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'running' || data?.state === 'failing' ? progressIntervalMs : false,
  })
}

export function chatKeysQuery(chatId: string) {
  return queryOptions({
    queryKey: ['chats', chatId, 'keys'],
    queryFn: ({ signal }) => client.console.keys.listOfChat(chatId, { signal }),
  })
}
