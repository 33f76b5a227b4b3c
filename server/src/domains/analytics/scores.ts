import type { ScoreAverages, ScoreAveragesQuery } from '@cairn/contract'
import type { Position } from '../../lib/cursor.ts'
import type { Scan } from '../../lib/scans.ts'
import { storable } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import { isFiltering, parseTraceFilters, type TraceConditions } from '../traces/index.ts'
import { baseWidths, bucketOf, bucketsOf, fittingInterval, periodOf } from './period.ts'
import type { AnalyticsStore, ScoreSumRow } from './store.ts'
import type { ScoreListStore } from './store-scores.ts'

interface Sum {
  count: number
  sum: number
  min: number
  max: number
  histogram: number[]
}

/** The sum of the scores of one histogram bin. */
type Part = Pick<ScoreSumRow, 'count' | 'sum' | 'min' | 'max' | 'bin'>

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

/** The filters that apply to the traces. The period applies to the scores. */
function traceConditions(conditions: TraceConditions): TraceConditions | undefined {
  const { startMs: _start, endMs: _end, ...others } = conditions
  return isFiltering(others) ? others : undefined
}

interface ScoreDependencies {
  store: AnalyticsStore
  scores: ScoreListStore
}

/** Averages of scores by name and over time. The period applies to the creation of the scores. */
export async function readScoreAverages(
  { store, scores: scoreStore }: ScoreDependencies,
  scan: Scan,
  projectId: string,
  query: ScoreAveragesQuery,
): Promise<ScoreAverages> {
  // The name of the score; scores cannot be filtered by the name of their trace.
  const { name, ...others } = query
  const conditions = parseTraceFilters(others)
  const span = periodOf(conditions)
  const interval = query.interval ?? fittingInterval(span)
  bucketsOf(interval, span)
  const wanted = {
    startMs: span.from,
    endMs: span.to,
    name: name === undefined ? undefined : storable(name),
  }
  const widthMs = baseWidths[interval]
  const ofTraces = traceConditions(conditions)
  const rows: ScoreSumRow[] = []
  await scan.eachSlice<Position>({
    after: undefined,
    boundary: (after, count) => scoreStore.boundary(projectId, wanted, after, count),
    read: async (after, upTo) => {
      rows.push(...(await store.scoreSums(projectId, { ...wanted, after, upTo, widthMs, ofTraces })))
      return false
    },
  })
  rows.sort((a, b) => (a.name === b.name ? a.bucket - b.bucket : a.name < b.name ? -1 : 1))
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
