import type { SeriesMetric, Timeseries, TimeseriesQuery } from '@cairn/contract'
import type { Scan } from '../../lib/scans.ts'
import { toIso } from '../../lib/time.ts'
import { giveWay } from '../../lib/turns.ts'
import type { Span, Sums } from '../rollups/index.ts'
import { parseTraceFilters, type TraceConditions } from '../traces/index.ts'
import { type GroupDependencies, GroupReader, GroupTable, parseGroupBy } from './groups.ts'
import { baseWidths, bucketOf, bucketsOf, fittingInterval, periodOf } from './period.ts'
import type { ReadPlan, Total } from './summary.ts'

const defaultGroups = 20

function shareOf(metric: SeriesMetric): number | undefined {
  const percent = /^p(\d\d)_latency_ms$/.exec(metric)?.[1]
  return percent === undefined ? undefined : Number(percent) / 100
}

function average(sum: number, count: number): number {
  return count === 0 ? 0 : sum / count
}

function metricOf(metric: SeriesMetric, { sums, latencies }: Total): number {
  const share = shareOf(metric)
  if (share !== undefined) return latencies.percentiles([share])[0] ?? 0
  switch (metric) {
    case 'error_rate':
      return average(sums.errors, sums.traces)
    case 'avg_latency_ms':
      return average(sums.latency_sum, sums.latencies)
    case 'total_cost':
      return sums.cost_sum
    case 'avg_cost':
      return average(sums.cost_sum, sums.costs)
    default:
      return sums[metric as 'traces' | 'errors' | 'prompt_tokens' | 'completion_tokens' | 'total_tokens']
  }
}

/** The sums that a metric is computed from. Groups are sorted by number of traces. */
function sumsOf(metric: SeriesMetric): (keyof Sums)[] {
  switch (metric) {
    case 'error_rate':
      return ['traces', 'errors']
    case 'avg_latency_ms':
      return ['traces', 'latencies', 'latency_sum']
    case 'total_cost':
      return ['traces', 'cost_sum']
    case 'avg_cost':
      return ['traces', 'costs', 'cost_sum']
    case 'errors':
    case 'prompt_tokens':
    case 'completion_tokens':
    case 'total_tokens':
      return ['traces', metric]
    default:
      return ['traces']
  }
}

/** A metric over time, by group if requested. Percentiles are estimates within 1 %. */
export async function readTimeseries(
  dependencies: GroupDependencies,
  scan: Scan,
  projectId: string,
  query: TimeseriesQuery,
): Promise<Timeseries> {
  const conditions: TraceConditions = parseTraceFilters(query)
  const groupBy = parseGroupBy(query.group_by)
  const span: Span = periodOf(conditions)
  const interval = query.interval ?? fittingInterval(span)
  const metric = query.metric ?? 'traces'
  const buckets = bucketsOf(interval, span)
  const groups = query.limit ?? defaultGroups
  const plan: ReadPlan = {
    scan,
    projectId,
    conditions: { ...conditions, startMs: span.from, endMs: span.to },
    span,
    widestMs: baseWidths[interval],
    sums: sumsOf(metric),
    sketches: shareOf(metric) !== undefined,
  }
  const groupReader = new GroupReader(
    dependencies,
    plan,
    new GroupTable((ms) => bucketOf(interval, ms)),
    groups,
  )
  await groupReader.read(groupBy)
  const isGrouped = groupBy.kind !== 'none'
  const found = groupReader.table.top(groups)
  const groupTotals =
    isGrouped || found.length > 0 ? found : [['', new Map()] as [string, Map<number, Total>]]
  const timestamps = buckets.map(toIso)
  const series = []
  for (const [group, totals] of groupTotals) {
    series.push({
      group: isGrouped ? group : null,
      points: buckets.map((bucket, at) => {
        const total = totals.get(bucket)
        return { timestamp: timestamps[at] ?? '', value: total ? metricOf(metric, total) : 0 }
      }),
    })
    // A hundred groups with a thousand points each would keep other requests waiting.
    await giveWay()
  }
  return {
    metric,
    interval,
    group_by: query.group_by ?? null,
    period_start: toIso(span.from),
    period_end: toIso(span.to),
    series,
  }
}
