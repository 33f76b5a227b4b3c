import { useMutation, useQueryClient } from '@tanstack/react-query'

/** A change of an application or its users. It finishes after lists and details are refetched. */
export function useAppChange<Request, Answer>(change: (request: Request) => Promise<Answer>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['apps'] }),
  })
}
