import type { ListedScore, ListScoresQuery, Scoring } from '@cairn/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import { toPeriodQuery } from '../../shared/filters/periods.ts'
import type { ScoreFilters } from './search.ts'

const progressMs = 1000

export function scoresQuery(projectId: string, filters: ScoreFilters) {
  return infiniteQueryOptions({
    queryKey: ['scores', projectId, filters],
    queryFn: async ({ pageParam, signal }) => {
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
      const at = { ...query, ...(pageParam && { cursor: pageParam }) }
      const { scores, nextCursor } = await client.scores.page(projectId, at, { signal })
      const questions = await questionsOf(projectId, scores, signal)
      const rows = scores.map((score): ScoreRow => ({ ...score, question: questions.get(score.trace_id) }))
      return { rows, nextCursor }
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** A score with the input of its trace; undefined if the trace could not be read. */
export type ScoreRow = ListedScore & { question: string | undefined }

/** The inputs of the traces by id, at most a hundred. Without them the list shows the ids. */
async function questionsOf(projectId: string, scores: readonly ListedScore[], signal: AbortSignal) {
  const ids = [...new Set(scores.map(({ trace_id }) => trace_id))]
  if (ids.length === 0) return new Map<string, string>()
  try {
    const { traces } = await client.traces.previewPage(projectId, { trace_id: ids, limit: 100 }, { signal })
    return new Map(traces.map(({ trace_id, input }) => [trace_id, input]))
  } catch {
    return new Map<string, string>()
  }
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
