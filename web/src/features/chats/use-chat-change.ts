import type { Chat } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { chatQuery, chatsQuery } from '../../shared/queries/chats.ts'
import { embeddingProgressQuery, publicationHistoryQuery } from './queries.ts'

/**
 * A mutation that returns the changed chat. It updates the cached chat at once, then refetches the project's chat list the
 * chat's publication history and the state of its vectors.
 */
export function useChatChange<Input = void>(change: (input: Input) => Promise<Chat>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (chat) => {
      queryClient.setQueryData(chatQuery(chat.chat_id).queryKey, chat)
      await Promise.all([
        queryClient.invalidateQueries(chatsQuery(chat.project_id)),
        queryClient.invalidateQueries(publicationHistoryQuery(chat.chat_id)),
        queryClient.invalidateQueries(embeddingProgressQuery(chat.chat_id)),
      ])
    },
  })
}
