import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../client.ts'

/** Milliseconds between two reads of the list of files while the server processes uploads. */
const watchMs = 400

export function chatsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['chats', 'of', projectId],
    queryFn: ({ signal }) => client.console.chats.list(projectId, { signal }),
  })
}

const noTitles: ReadonlyMap<string, string> = new Map()

/** The titles of the chats of a project by id; empty while they load. */
export function useChatTitles(projectId: string): ReadonlyMap<string, string> {
  const { data } = useQuery({ ...chatsQuery(projectId), select: titlesOf, staleTime: 60_000 })
  return data ?? noTitles
}

function titlesOf(chats: readonly { chat_id: string; title: string }[]): ReadonlyMap<string, string> {
  return new Map(chats.map(({ chat_id, title }) => [chat_id, title]))
}

export function chatQuery(chatId: string) {
  return queryOptions({
    queryKey: ['chats', chatId],
    queryFn: ({ signal }) => client.console.chats.get(chatId, { signal }),
  })
}

export function scopesQuery(chatId: string) {
  return queryOptions({
    queryKey: ['chats', chatId, 'scopes'],
    queryFn: async ({ signal }) => (await client.scopes.list(chatId, { signal })).scopes,
  })
}

export const filesKey = (chatId: string) => ['chats', chatId, 'files']

/** All files of a chat, newest first, and the uploads that the server still processes. */
export function filesQuery(chatId: string, { isWatched = false } = {}) {
  return queryOptions({
    queryKey: filesKey(chatId),
    queryFn: ({ signal }) => client.documents.list(chatId, { signal }),
    refetchInterval: ({ state }) => (isWatched || state.data?.uploads ? watchMs : false),
  })
}
