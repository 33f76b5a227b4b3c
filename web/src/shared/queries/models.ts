import { queryOptions } from '@tanstack/react-query'
import { client } from '../client.ts'

/** The chat and embedding models of the server. */
export const modelsQuery = queryOptions({
  queryKey: ['server', 'models'],
  queryFn: ({ signal }) => client.console.models.list({ signal }),
})
