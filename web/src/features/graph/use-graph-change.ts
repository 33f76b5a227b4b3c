import { useMutation, useQueryClient } from '@tanstack/react-query'

/** A change of the graph: when it is done, the graph has been read again, and background work is watched. */
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
