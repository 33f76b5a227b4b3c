import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/** Whether this browser is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => client.console.session.get({ signal }),
  staleTime: 60_000,
})
