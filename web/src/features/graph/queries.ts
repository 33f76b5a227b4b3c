import { queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import { modelOf } from './model.ts'

export function graphQuery(chatId: string) {
  return queryOptions({
    queryKey: ['graph', chatId],
    queryFn: async ({ signal }) => modelOf(await client.graph.read(chatId, { signal })),
    // A large graph has megabytes, so only `useGraphChange` and `useRelating` refetch it.
    staleTime: 60_000,
    structuralSharing: false,
  })
}

const pollMs = 1_000

/** Number of documents that wait for their relationships; polled while there are any. */
export function statusQuery(chatId: string) {
  return queryOptions({
    queryKey: ['graph', chatId, 'status'],
    queryFn: ({ signal }) => client.graph.status(chatId, { signal }),
    refetchInterval: ({ state }) => ((state.data?.relating ?? 0) > 0 ? pollMs : false),
  })
}
