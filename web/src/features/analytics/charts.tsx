import type { Interval } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Chart } from '../../ui/chart/chart.tsx'
import type { ChartData } from '../../ui/chart/types.ts'
import { formatCompact, formatDuration, formatMoney, formatScore, formatShare } from '../../ui/format.ts'
import { frameOf, groupedData, scoreData, strength, valuesOf } from './chart-data.ts'
import { useOpenTraces } from './open-traces.ts'
import { maxChartGroups, scoreAveragesQuery, type View } from './queries.ts'
import type { percentiles } from './search.ts'
import { useSeries } from './use-series.ts'

type Percentile = (typeof percentiles)[number]

const sum = (values: readonly (number | null)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

/** `per hour`; it also says if only some of the groups are shown. */
function noteOf(per: Interval | undefined, data: ChartData | undefined, view: View, what = ''): string {
  const cut = view.groupBy !== undefined && data?.series.length === maxChartGroups
  return `${what}per ${per ?? view.period.interval}${cut ? `, the ${maxChartGroups} groups with the most traces` : ''}`
}

/** The number of traces by status, or by group. */
export function VolumeChart({ view, height = 180 }: { view: View; height?: number }) {
  const { series, error, retry } = useSeries(view, ['traces', 'errors'])
  const open = useOpenTraces(view, (name) =>
    name === 'Errors' ? { status: 'error' } : name === 'Successful' ? { status: 'success' } : {},
  )
  const data = useMemo(() => {
    if (!series) return undefined
    const { traces, errors } = series
    if (view.groupBy !== undefined) return groupedData(traces, traces, 'sum')
    const failed = valuesOf(errors.series[0]).map((value) => value ?? 0)
    const good = valuesOf(traces.series[0]).map((value, at) => (value ?? 0) - (failed[at] ?? 0))
    return {
      ...frameOf(traces),
      series: [
        { name: 'Successful', values: good, colour: 'var(--series-8)', total: sum(good) },
        { name: 'Errors', values: failed, colour: 'var(--error)', total: sum(failed) },
      ],
    }
  }, [series, view.groupBy])
  return (
    <Chart
      title="Traces"
      height={height}
      note={noteOf(series?.traces.interval, data, view)}
      kind="bars"
      whole
      format={formatCompact}
      {...{ data, error, retry }}
      onPick={open}
    />
  )
}

/** The share of failed traces. */
export function ErrorRateChart({ view }: { view: View }) {
  const { series, error, retry } = useSeries(view, ['traces', 'error_rate'])
  const open = useOpenTraces(view, () => ({ status: 'error' }))
  const data = useMemo(() => {
    if (!series) return undefined
    const grouped = groupedData(series.error_rate, series.traces, 'by traces')
    if (view.groupBy !== undefined) return grouped
    return {
      ...grouped,
      series: grouped.series.map((one) => ({ ...one, name: 'Error rate', colour: 'var(--error)' })),
    }
  }, [series, view.groupBy])
  return (
    <Chart
      title="Error rate"
      note={noteOf(series?.traces.interval, data, view)}
      kind="lines"
      atMost={1}
      format={formatShare}
      {...{ data, error, retry }}
      onPick={open}
    />
  )
}

const latencyMetric = { p50: 'p50_latency_ms', p95: 'p95_latency_ms', p99: 'p99_latency_ms' } as const
/** One hue in three strengths; the median is the strongest line, and p99 a thin dashed one. */
const styles = [
  ['p50', { percent: 100, width: 2.5 }],
  ['p95', { percent: 72, width: 1.5 }],
  ['p99', { percent: 55, width: 1, dashed: true }],
] as const

/** p50, p95 and p99 of the latency; with groups, only the chosen percentile. */
export function LatencyChart({
  view,
  percentile,
  height = 180,
}: {
  view: View
  percentile: Percentile
  height?: number
}) {
  const grouped = view.groupBy !== undefined
  const metrics = grouped ? [latencyMetric[percentile]] : Object.values(latencyMetric)
  const { series, error, retry } = useSeries(view, ['traces', ...metrics])
  const open = useOpenTraces(view)
  const data = useMemo(() => {
    if (!series) return undefined
    if (grouped) {
      const data = groupedData(series[latencyMetric[percentile]], series.traces, 'by traces')
      // Percentiles of intervals cannot be averaged into the percentile of the period.
      return { ...data, series: data.series.map(({ total: _, ...one }) => one) }
    }
    return {
      ...frameOf(series.traces),
      series: styles.map(([name, { percent, ...style }]) => ({
        name,
        values: valuesOf(series[latencyMetric[name]].series[0], series.traces.series[0]),
        colour: strength('var(--series-2)', percent),
        ...style,
      })),
    }
  }, [series, grouped, percentile])
  return (
    <Chart
      title={grouped ? `Latency ${percentile}` : 'Latency'}
      height={height}
      note={noteOf(series?.traces.interval, data, view)}
      kind="lines"
      axis="duration"
      cutsOutliers
      labelled={!grouped}
      format={formatDuration}
      {...{ data, error, retry }}
      onPick={open}
    />
  )
}

export function CostChart({ view }: { view: View }) {
  const { series, error, retry } = useSeries(view, ['traces', 'total_cost'])
  const open = useOpenTraces(view)
  const data = useMemo(() => {
    if (!series) return undefined
    const data = groupedData(series.total_cost, series.traces, 'sum')
    if (view.groupBy !== undefined) return data
    return {
      ...data,
      series: data.series.map((one) => ({ ...one, name: 'Cost', colour: 'var(--series-1)' })),
    }
  }, [series, view.groupBy])
  return (
    <Chart
      title="Cost"
      note={noteOf(series?.traces.interval, data, view, 'USD ')}
      kind="bars"
      format={formatMoney}
      {...{ data, error, retry }}
      onPick={open}
    />
  )
}

/** Input and output tokens, or the tokens of each group. */
export function TokensChart({ view }: { view: View }) {
  const grouped = view.groupBy !== undefined
  const { series, error, retry } = useSeries(view, [
    'traces',
    ...(grouped ? (['total_tokens'] as const) : (['prompt_tokens', 'completion_tokens'] as const)),
  ])
  const open = useOpenTraces(view)
  const data = useMemo(() => {
    if (!series) return undefined
    if (grouped) return groupedData(series.total_tokens, series.traces, 'sum')
    const layers = [
      ['In', series.prompt_tokens, 55],
      ['Out', series.completion_tokens, 100],
    ] as const
    return {
      ...frameOf(series.traces),
      series: layers.map(([name, { series: found }, percent]) => {
        const values = valuesOf(found[0])
        return { name, values, colour: strength('var(--series-4)', percent), total: sum(values) }
      }),
    }
  }, [series, grouped])
  return (
    <Chart
      title="Tokens"
      note={noteOf(series?.traces.interval, data, view)}
      kind="bars"
      format={formatCompact}
      {...{ data, error, retry }}
      onPick={open}
    />
  )
}

/** Average scores by name; the chosen group does not apply to them. */
export function ScoresChart({ view }: { view: View }) {
  const scores = useQuery(scoreAveragesQuery(view))
  const { series } = useSeries({ ...view, groupBy: undefined }, ['traces'])
  const open = useOpenTraces({ ...view, groupBy: undefined })
  const data = useMemo(
    () => (scores.data && series ? scoreData(scores.data, frameOf(series.traces)) : undefined),
    [scores.data, series],
  )
  return (
    <Chart
      title="Scores"
      note={`average per ${scores.data?.interval ?? view.period.interval}, by the time of the score`}
      kind="lines"
      atMost={1}
      format={formatScore}
      data={data}
      error={scores.error}
      retry={scores.refetch}
      empty="No scores in this period. People and scorers add them to traces."
      onPick={open}
    />
  )
}
