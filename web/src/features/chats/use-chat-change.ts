import type { Chat } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { chatQuery, chatsQuery } from '../../shared/queries/chats.ts'
import { publicationsQuery } from './queries.ts'

/** A change whose response is the changed chat; every screen shows the change at once. */
export function useChatChange<Input = void>(change: (input: Input) => Promise<Chat>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (chat) => {
      queryClient.setQueryData(chatQuery(chat.chat_id).queryKey, chat)
      await Promise.all([
        queryClient.invalidateQueries(chatsQuery(chat.project_id)),
        queryClient.invalidateQueries(publicationsQuery(chat.chat_id)),
      ])
    },
  })
}
