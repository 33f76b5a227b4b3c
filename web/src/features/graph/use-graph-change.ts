import { useMutation, useQueryClient } from '@tanstack/react-query'

/** A change of the graph. On success the graph and the status of background work are refetched. */
export function useGraphChange<Request, Answer>(
  chatId: string,
  change: (request: Request) => Promise<Answer>,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['graph', chatId] }),
  })
}
