import { queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'

/** The last publications of a chat, newest first. */
export function publicationHistoryQuery(chatId: string) {
  return queryOptions({
    queryKey: ['chats', chatId, 'publications'],
    queryFn: ({ signal }) => client.console.chats.history(chatId, { signal }),
  })
}

export function chatKeysQuery(chatId: string) {
  return queryOptions({
    queryKey: ['chats', chatId, 'keys'],
    queryFn: ({ signal }) => client.console.keys.listOfChat(chatId, { signal }),
  })
}
