import type { BreakdownGroup, Run, TracePreview } from '@cairn/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import { versionsKey } from '../../shared/queries/versions.ts'
import type { Mean } from '../../shared/statistics.ts'

/** A start date before any trace. */
const always = { start_date: '1970-01-01T00:00:00.000Z' }
const pageSize = 100

/** Figures over all time of the 100 versions with the most traces, by version number. */
export function versionFiguresQuery(projectId: string) {
  return queryOptions({
    queryKey: [...versionsKey(projectId), 'figures'],
    queryFn: async ({ signal }): Promise<Map<string, BreakdownGroup>> => {
      const { groups } = await client.analytics.breakdown(
        projectId,
        { ...always, group_by: 'version', limit: 100 },
        { signal },
      )
      return new Map(groups.map((group) => [group.group, group]))
    },
  })
}

/** Figures of one version over all time; null if no trace names it. */
export function oneVersionFiguresQuery(projectId: string, version: string | undefined) {
  return queryOptions({
    queryKey: [...versionsKey(projectId), 'figures', version],
    enabled: version !== undefined,
    queryFn: async ({ signal }): Promise<BreakdownGroup | null> => {
      const query = { ...always, version: version ?? '', group_by: 'version', limit: 1 }
      const { groups } = await client.analytics.breakdown(projectId, query, { signal })
      return groups[0] ?? null
    },
  })
}

/** The newest traces of a version: a sample for the deviation of their figures. */
export function versionSampleQuery(projectId: string, version: string | undefined) {
  return queryOptions({
    queryKey: [...versionsKey(projectId), 'sample', version],
    enabled: version !== undefined,
    queryFn: async ({ signal }): Promise<TracePreview[]> => {
      const query = { version: version ?? '', limit: 300 }
      return (await client.traces.previewPage(projectId, query, { signal })).traces
    },
  })
}

/** Average scores of the traces of a version, by name, with their number and deviation. */
export function versionScoresQuery(projectId: string, version: string | undefined) {
  return queryOptions({
    queryKey: [...versionsKey(projectId), 'scores', version],
    enabled: version !== undefined,
    queryFn: async ({ signal }): Promise<Map<string, Mean>> => {
      const query = { ...always, interval: 'month' as const, version: version ?? '' }
      const { scores } = await client.analytics.scores(projectId, query, { signal })
      return new Map(
        scores.map(({ name, average, count, histogram }) => [name, meanOfScores(average, count, histogram)]),
      )
    },
  })
}

/** The deviation comes from the histogram, with each score in the middle of its bin. */
function meanOfScores(mean: number, count: number, histogram: readonly number[]): Mean {
  const squares = histogram.reduce((sum, n, bin) => sum + n * ((bin + 0.5) / 10 - mean) ** 2, 0)
  return { mean, count, sd: Math.sqrt(squares / Math.max(1, count - 1)) }
}

/** The last completed run of each version, among the last 200 runs. */
export function lastRunsQuery(projectId: string) {
  return queryOptions({
    queryKey: [...versionsKey(projectId), 'runs'],
    queryFn: async ({ signal }): Promise<Map<string, Run>> => {
      const { runs } = await client.testing.runs.page(
        projectId,
        { status: 'completed', limit: 200 },
        { signal },
      )
      const last = new Map<string, Run>()
      for (const run of runs) if (run.version_id && !last.has(run.version_id)) last.set(run.version_id, run)
      return last
    },
  })
}

export function comparisonQuery(projectId: string, a: string | undefined, b: string | undefined) {
  return queryOptions({
    queryKey: [...versionsKey(projectId), 'comparison', a, b],
    enabled: a !== undefined && b !== undefined,
    queryFn: ({ signal }) => client.versions.compare(projectId, { a: a ?? '', b: b ?? '' }, { signal }),
  })
}

/** The activations of versions, newest first, page by page. */
export function historyQuery(projectId: string) {
  return infiniteQueryOptions({
    queryKey: [...versionsKey(projectId), 'history'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: cursor }) =>
      client.versions.historyPage(
        projectId,
        { limit: pageSize, ...(cursor !== undefined && { cursor }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}
