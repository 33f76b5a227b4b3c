import { queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'

/** The newest failed traces with their error messages. */
export function newestErrorsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['projects', projectId, 'newest-errors'],
    queryFn: async ({ signal }) => {
      const { traces } = await client.traces.page(projectId, { status: 'error', limit: 5 }, { signal })
      // The list does not contain error messages.
      return Promise.all(traces.map(({ trace_id }) => client.traces.get(projectId, trace_id, { signal })))
    },
  })
}
