import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/** The session of this browser. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => client.console.session.get({ signal }),
  staleTime: 60_000,
})
