import { queryOptions } from '@tanstack/react-query'
import { client } from '../client.ts'

/** The hundred sessions with the newest traces. */
export function newestSessionsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['sessions', projectId, 'newest'],
    queryFn: async ({ signal }) =>
      (await client.sessions.page(projectId, { limit: 100 }, { signal })).sessions,
  })
}
