import { queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'

/** The chats of a project, as every screen reads them. */
export function chatsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['chats', 'of', projectId],
    queryFn: ({ signal }) => client.console.chats.list(projectId, { signal }),
  })
}

export function chatQuery(chatId: string) {
  return queryOptions({
    queryKey: ['chats', chatId],
    queryFn: ({ signal }) => client.console.chats.get(chatId, { signal }),
  })
}

export function publicationsQuery(chatId: string) {
  return queryOptions({
    queryKey: ['chats', chatId, 'publications'],
    queryFn: ({ signal }) => client.console.chats.history(chatId, { signal }),
  })
}

export function scopesQuery(chatId: string) {
  return queryOptions({
    queryKey: ['chats', chatId, 'scopes'],
    queryFn: async ({ signal }) => (await client.scopes.list(chatId, { signal })).scopes,
  })
}

export function chatKeysQuery(chatId: string) {
  return queryOptions({
    queryKey: ['chats', chatId, 'keys'],
    queryFn: ({ signal }) => client.console.keys.listOfChat(chatId, { signal }),
  })
}
