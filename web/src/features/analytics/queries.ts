import type { SeriesMetric } from '@cairn/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import type { FilterValues } from '../../shared/filters/filters.ts'
import type { Period, Span } from './period.ts'
import { toFilters } from './search.ts'

/** Number of groups in a chart: one for each colour. */
export const groupsShown = 8

/** The traces that a screen shows. */
export interface View {
  projectId: string
  filters: FilterValues
  period: Period
  group: string | undefined
}

const { analytics } = client
/** Open screens refresh once a minute. */
const refetchInterval = 60_000

/** Counts, latency, cost and tokens of a period. */
export function figuresQuery(projectId: string, filters: FilterValues, span: Span, interval: string) {
  const query = { ...toFilters(filters), ...span }
  return queryOptions({
    queryKey: ['analytics', projectId, 'figures', filters, span],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const [metrics, performance, tokens] = await Promise.all([
        analytics.metrics(projectId, query, { signal }),
        analytics.performance(projectId, query, { signal }),
        analytics.timeseries(
          projectId,
          { ...query, metric: 'total_tokens', interval: interval as 'day' },
          { signal },
        ),
      ])
      const points = tokens.series[0]?.points ?? []
      return { ...metrics, ...performance, tokens: points.reduce((sum, { value }) => sum + value, 0) }
    },
  })
}

/** One metric over time, by group if the view has one. */
export function seriesQuery({ projectId, filters, period, group }: View, metric: SeriesMetric) {
  const { span, interval } = period
  return queryOptions({
    queryKey: ['analytics', projectId, 'series', metric, filters, span, group],
    placeholderData: keepPreviousData,
    refetchInterval,
    queryFn: ({ signal }) =>
      analytics.timeseries(
        projectId,
        {
          ...toFilters(filters),
          ...span,
          metric,
          interval,
          ...(group !== undefined && { group_by: group, limit: groupsShown }),
        },
        { signal },
      ),
  })
}

/** Average scores over time by name. */
export function scoresQuery({ projectId, filters, period: { span, interval } }: View) {
  return queryOptions({
    queryKey: ['analytics', projectId, 'scores', filters, span],
    placeholderData: keepPreviousData,
    refetchInterval,
    queryFn: ({ signal }) =>
      analytics.scores(projectId, { ...toFilters(filters), ...span, interval }, { signal }),
  })
}

/** All figures by group; groups with the most traces come first. */
export function breakdownQuery(
  projectId: string,
  filters: FilterValues,
  span: Span,
  groupBy: string,
  limit = 20,
) {
  return queryOptions({
    queryKey: ['analytics', projectId, 'breakdown', groupBy, filters, span, limit],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      analytics.breakdown(
        projectId,
        { ...toFilters(filters), ...span, group_by: groupBy, limit },
        { signal },
      ),
  })
}

/** Whether the project has any trace. */
export function hasTracesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['analytics', projectId, 'has-traces'],
    queryFn: async ({ signal }) =>
      (await client.traces.page(projectId, { limit: 1 }, { signal })).traces.length > 0,
  })
}
