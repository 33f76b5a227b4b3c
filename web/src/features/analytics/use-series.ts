import type { SeriesMetric, Timeseries } from '@cairn/sdk'
import { useQueries } from '@tanstack/react-query'
import { seriesQuery, type View } from './queries.ts'

interface Read<Metric extends string> {
  /** Undefined until all metrics are loaded. */
  series: Record<Metric, Timeseries> | undefined
  error: unknown
  retry: () => void
}

/** Loads several metrics over time together. */
export function useSeries<Metric extends SeriesMetric>(view: View, metrics: readonly Metric[]): Read<Metric> {
  return useQueries({
    queries: metrics.map((metric) => seriesQuery(view, metric)),
    combine: (results) => {
      const found = results.flatMap(({ data }, at) => (data ? [[metrics[at], data] as const] : []))
      return {
        series:
          found.length === metrics.length
            ? (Object.fromEntries(found) as Record<Metric, Timeseries>)
            : undefined,
        error: results.find(({ error }) => error)?.error,
        retry: () => {
          for (const { refetch, error } of results) if (error) void refetch()
        },
      }
    },
  })
}
