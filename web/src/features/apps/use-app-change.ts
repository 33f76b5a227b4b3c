import { useMutation, useQueryClient } from '@tanstack/react-query'

/** A change of an application or of its users: lists and details are read again before it counts as done. */
export function useAppChange<Request, Answer>(change: (request: Request) => Promise<Answer>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['apps'] }),
  })
}
