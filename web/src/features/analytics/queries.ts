import type { Interval, SeriesMetric } from '@cairn/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import type { FilterValues } from '../../shared/filters/filters.ts'
import type { ChartPeriod, DateRange } from './period.ts'
import { toFilters } from './search.ts'

/** Maximum number of groups in a chart: one per colour. Smaller groups are left out. */
export const maxChartGroups = 8

/** The traces that a screen shows, and how it groups them. */
export interface View {
  projectId: string
  filters: FilterValues
  period: ChartPeriod
  /** A dimension such as `model`, or `attr.<key>`; undefined for no groups. */
  groupBy: string | undefined
}

const { analytics } = client
/**
 * Polls queries over `period.whole`, which changes only when a chart interval ends. Queries over `period.elapsed` and
 * `period.before` get a new key each minute while the period runs, so they need no polling.
 */
const refetchInterval = 60_000

/** Counts, latency, cost and tokens of a period. */
export function figuresQuery(projectId: string, filters: FilterValues, range: DateRange, interval: Interval) {
  const query = { ...toFilters(filters), ...range }
  return queryOptions({
    queryKey: ['analytics', projectId, 'figures', filters, range],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const [metrics, performance, tokens] = await Promise.all([
        analytics.metrics(projectId, query, { signal }),
        analytics.performance(projectId, query, { signal }),
        analytics.timeseries(projectId, { ...query, metric: 'total_tokens', interval }, { signal }),
      ])
      const points = tokens.series[0]?.points ?? []
      return { ...metrics, ...performance, tokens: points.reduce((sum, { value }) => sum + value, 0) }
    },
  })
}

/** One metric over time, by group if the view has groups. */
export function seriesQuery({ projectId, filters, period, groupBy }: View, metric: SeriesMetric) {
  const { whole, interval } = period
  return queryOptions({
    queryKey: ['analytics', projectId, 'series', metric, filters, whole, groupBy],
    placeholderData: keepPreviousData,
    refetchInterval,
    queryFn: ({ signal }) =>
      analytics.timeseries(
        projectId,
        {
          ...toFilters(filters),
          ...whole,
          metric,
          interval,
          ...(groupBy !== undefined && { group_by: groupBy, limit: maxChartGroups }),
        },
        { signal },
      ),
  })
}

/** Average scores over time by name. */
export function scoreAveragesQuery({ projectId, filters, period: { whole, interval } }: View) {
  return queryOptions({
    queryKey: ['analytics', projectId, 'scores', filters, whole],
    placeholderData: keepPreviousData,
    refetchInterval,
    queryFn: ({ signal }) =>
      analytics.scores(projectId, { ...toFilters(filters), ...whole, interval }, { signal }),
  })
}

/** All figures by group; groups with the most traces come first. */
export function breakdownQuery(
  projectId: string,
  filters: FilterValues,
  range: DateRange,
  groupBy: string,
  limit = 20,
) {
  return queryOptions({
    queryKey: ['analytics', projectId, 'breakdown', groupBy, filters, range, limit],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      analytics.breakdown(
        projectId,
        { ...toFilters(filters), ...range, group_by: groupBy, limit },
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
