import { queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'

export const providersQuery = queryOptions({
  queryKey: ['server', 'providers'],
  queryFn: ({ signal }) => client.console.providers.list({ signal }),
})

export const modelDefaultsQuery = queryOptions({
  queryKey: ['server', 'model-defaults'],
  queryFn: ({ signal }) => client.console.modelDefaults.get({ signal }),
})

const progressIntervalMs = 3_000

/** The progress of the vectors of all chats, polled until it ends. */
export const embeddingQuery = queryOptions({
  queryKey: ['server', 'embedding'],
  queryFn: ({ signal }) => client.console.embedding({ signal }),
  refetchInterval: ({ state: { data } }) =>
    data && data.embedded < data.chunks ? progressIntervalMs : false,
})

export const multipliersQuery = queryOptions({
  queryKey: ['server', 'multipliers'],
  queryFn: ({ signal }) => client.console.multipliers.list({ signal }),
})

const statusIntervalMs = 3_000

/** The state of the server, polled while the page is visible. */
export const statusQuery = queryOptions({
  queryKey: ['server', 'status'],
  queryFn: ({ signal }) => client.console.server({ signal }),
  refetchInterval: statusIntervalMs,
})
