import type { ListScoresQuery, Scoring } from '@cairn/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import { toPeriodQuery } from '../../shared/filters/periods.ts'
import type { ScoreFilters } from './search.ts'

const progressMs = 1000

export function scoresQuery(projectId: string, filters: ScoreFilters) {
  return infiniteQueryOptions({
    queryKey: ['scores', projectId, filters],
    queryFn: ({ pageParam, signal }) => {
      const { name, source, scorer, min_value, max_value, ...period } = filters
      // Bounds stay texts, since the server validates them.
      const query = {
        name,
        source,
        scorer,
        min_value,
        max_value,
        ...toPeriodQuery(period),
      } as object as ListScoresQuery
      return client.scores.page(projectId, { ...query, ...(pageParam && { cursor: pageParam }) }, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

const isRunning = ({ state }: Scoring) => state === 'running'

/** The newest batches, polled while one is running. */
export function batchesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['batches', projectId],
    queryFn: ({ signal }) => client.judging.batches.page(projectId, { limit: 100 }, { signal }),
    refetchInterval: ({ state }) => (state.data?.scorings.some(isRunning) ? progressMs : false),
  })
}
