import { queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'

/** The last traces that failed, with why. */
export function newestErrorsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['projects', projectId, 'newest-errors'],
    queryFn: async ({ signal }) => {
      const { traces } = await client.traces.page(projectId, { status: 'error', limit: 5 }, { signal })
      // A list has no messages.
      return Promise.all(traces.map(({ trace_id }) => client.traces.get(projectId, trace_id, { signal })))
    },
  })
}
