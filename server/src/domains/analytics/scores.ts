import type { ScoreAverages, ScoreAveragesQuery } from '@cairn/contract'
import { storable } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import { isFiltering, parseTraceFilters, type TraceConditions } from '../traces/index.ts'
import { baseWidths, bucketOf, bucketsOf, fittingInterval, periodOf } from './period.ts'
import type { AnalyticsStore } from './store.ts'

interface Sum {
  count: number
  sum: number
  min: number
  max: number
  histogram: number[]
}

/** A part of a sum: scores of one bin. */
interface Part extends Omit<Sum, 'histogram'> {
  bin: number
}

function add(into: Sum | undefined, { count, sum, min, max, bin }: Part): Sum {
  const histogram = into?.histogram ?? Array<number>(10).fill(0)
  histogram[bin] = (histogram[bin] ?? 0) + count
  if (!into) return { count, sum, min, max, histogram }
  return {
    count: into.count + count,
    sum: into.sum + sum,
    min: Math.min(into.min, min),
    max: Math.max(into.max, max),
    histogram,
  }
}

function toAverage({ count, sum, min, max, histogram }: Sum) {
  return { count, average: sum / count, min, max, histogram }
}

/** The filters that are about the traces; the period is about the scores. */
function traceConditions(conditions: TraceConditions): TraceConditions | undefined {
  const { startMs: _start, endMs: _end, ...others } = conditions
  return isFiltering(others) ? others : undefined
}

/** Averages of scores by name and over time; the period is about when a score was given. */
export async function readScoreAverages(
  store: AnalyticsStore,
  projectId: string,
  query: ScoreAveragesQuery,
): Promise<ScoreAverages> {
  const conditions = parseTraceFilters(query)
  const span = periodOf(conditions)
  const interval = query.interval ?? fittingInterval(span)
  bucketsOf(interval, span)
  const rows = await store.scoreSums(projectId, span, {
    name: query.name === undefined ? undefined : storable(query.name),
    widthMs: baseWidths[interval],
    conditions: traceConditions(conditions),
  })
  const byName = Map.groupBy(rows, (row) => row.name)
  const scores = [...byName].map(([name, parts]) => {
    const points = new Map<number, Sum>()
    for (const part of parts) {
      const bucket = bucketOf(interval, part.bucket)
      points.set(bucket, add(points.get(bucket), part))
    }
    const whole = parts.reduce<Sum | undefined>((sum, part) => add(sum, part), undefined) as Sum
    return {
      name,
      ...toAverage(whole),
      points: [...points].map(([bucket, sum]) => ({ timestamp: toIso(bucket), ...toAverage(sum) })),
    }
  })
  return { interval, period_start: toIso(span.from), period_end: toIso(span.to), scores }
}
