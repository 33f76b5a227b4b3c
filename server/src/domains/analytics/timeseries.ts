import {
  CairnError,
  type Interval,
  type SeriesMetric,
  type Timeseries,
  type TimeseriesQuery,
} from '@cairn/contract'
import { indexable } from '../../lib/indexable.ts'
import { toIso } from '../../lib/time.ts'
import { type Dimension, dayMs, floorTo, type RollupStore, type Span, type Sums } from '../rollups/index.ts'
import { parseTraceFilters, type TraceConditions } from '../traces/index.ts'
import { baseWidths, bucketOf, bucketsOf, fittingInterval, periodOf } from './period.ts'
import type { AnalyticsStore, GroupColumn } from './store.ts'
import { type ReadPlan, rollupsFor, type Sink, type SummaryReader, Total } from './summary.ts'

const defaultGroups = 20

type GroupBy = { kind: 'none' } | { kind: 'column'; dimension: GroupColumn } | { kind: 'label'; name: string }

function parseGroupBy(text: string | undefined): GroupBy {
  switch (text) {
    case undefined:
      return { kind: 'none' }
    case 'model':
    case 'version':
    case 'status':
    case 'environment':
      return { kind: 'column', dimension: text }
    case 'tag':
      return { kind: 'label', name: 'tag' }
  }
  if (text.startsWith('attr.') && text !== 'attr.') return { kind: 'label', name: indexable(text) }
  throw new CairnError(
    'invalid_request',
    'group_by must be model, version, status, environment, tag or attr.<key>',
  )
}

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

/** What a metric is worked out from; groups are sorted by their traces. */
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

function tracesIn(points: Map<number, Total>): number {
  return [...points.values()].reduce((sum, { sums }) => sum + sums.traces, 0)
}

/** Totals by group and beginning of the interval. */
class Table {
  readonly #interval: Interval
  readonly #groups = new Map<string, Map<number, Total>>()

  constructor(interval: Interval) {
    this.#interval = interval
  }

  /** Takes rows in; `group` overrides the value that a row says it belongs to. */
  sink(group?: string): Sink {
    return {
      rollup: (row) => this.#at(group ?? row.value, row.bucket).addRollup(row),
      facts: (row) => this.#at(group ?? row.value ?? undefined, row.bucket).addFacts(row),
    }
  }

  /** Takes rows of these groups in, and no others. */
  sinkOf(groups: readonly string[]): Sink {
    const wanted = new Set<string | null>(groups)
    const { rollup, facts } = this.sink()
    return {
      rollup,
      facts: (row) => {
        if (wanted.has(row.value)) facts(row)
      },
    }
  }

  /** Traces in the last of so many groups; 0 as long as there are fewer. */
  leastOf(groups: number): number {
    const last = this.top(groups)[groups - 1]
    return last ? tracesIn(last[1]) : 0
  }

  /** The groups with most traces, most first. */
  top(limit: number): [string, Map<number, Total>][] {
    return [...this.#groups]
      .sort(([a, left], [b, right]) => tracesIn(right) - tracesIn(left) || (a < b ? -1 : 1))
      .slice(0, limit)
  }

  #at(group: string | undefined, ms: number): Total {
    // Traces that do not carry the value are in no group.
    if (group === undefined) return new Total()
    const points = this.#groups.get(group) ?? new Map<number, Total>()
    this.#groups.set(group, points)
    const bucket = bucketOf(this.#interval, ms)
    const total = points.get(bucket) ?? new Total()
    points.set(bucket, total)
    return total
  }
}

export interface TimeseriesDependencies {
  reader: SummaryReader
  store: AnalyticsStore
  rollups: RollupStore
}

/** One request for a time series. */
class Reading {
  readonly #dependencies: TimeseriesDependencies
  readonly #plan: ReadPlan
  readonly #groups: number
  readonly table: Table

  constructor(dependencies: TimeseriesDependencies, plan: ReadPlan, interval: Interval, groups: number) {
    this.#dependencies = dependencies
    this.#plan = plan
    this.#groups = groups
    this.table = new Table(interval)
  }

  async read(groupBy: GroupBy): Promise<void> {
    const { reader } = this.#dependencies
    const { conditions, sketches, widestMs } = this.#plan
    const filter = rollupsFor(conditions)
    const grouping = { widthMs: widestMs, bins: sketches }
    if (groupBy.kind === 'none') {
      const sink = this.table.sink('')
      return filter
        ? reader.readRollups(this.#plan, filter, grouping, sink)
        : reader.scan(this.#plan, grouping, sink)
    }
    const unfiltered = filter?.dimension === 'all'
    if (groupBy.kind === 'label') return this.#readLabel(groupBy.name, unfiltered)
    const byColumn = { ...grouping, column: groupBy.dimension }
    if (!unfiltered) return reader.scan(this.#plan, byColumn, this.table.sink())
    await this.#readTop(groupBy.dimension, async (values) => {
      const conditions = { dimension: groupBy.dimension, values }
      await reader.readRollups(this.#plan, conditions, byColumn, this.table.sinkOf(values))
    })
  }

  async #readLabel(name: string, unfiltered: boolean): Promise<void> {
    const { reader, store } = this.#dependencies
    const { projectId, sketches, widestMs } = this.#plan
    const readValues = async (values: readonly string[]) => {
      const grouping = { widthMs: widestMs, bins: sketches, label: { name, values } }
      const sink = this.table.sink()
      if (unfiltered && name === 'tag') {
        await reader.readRollups(this.#plan, { dimension: 'tag', values }, grouping, sink)
      } else if (values.length > 0) await reader.scan(this.#plan, grouping, sink)
    }
    if (name === 'tag') return this.#readTop('tag', readValues)
    const values = await store.labelValues(projectId, name, maxLabelValues + 1)
    if (values.length > maxLabelValues) {
      throw new CairnError('invalid_request', `group_by ${name} has more than ${maxLabelValues} values`)
    }
    await readValues(values)
  }

  /**
   * Reads values until those with most traces in the period are among them. Whole days without a filter count no
   * fewer traces than the period with one, so a value whose days count no more than the last group has is not needed.
   */
  async #readTop(dimension: Dimension, read: (values: readonly string[]) => Promise<void>): Promise<void> {
    const { projectId, span } = this.#plan
    const segment = { widthMs: dayMs, from: floorTo(span.from, dayMs), to: span.to }
    let done = 0
    for (let limit = this.#groups; ; limit *= 2) {
      const found = await this.#dependencies.rollups.topValues(projectId, dimension, segment, limit + 1)
      const values = found.slice(done, limit).map(({ value }) => value)
      if (values.length > 0) await read(values)
      done = limit
      const next = found[limit]
      if (!next || next.traces <= this.table.leastOf(this.#groups)) return
    }
  }
}

const maxLabelValues = 200

/** A metric over time, by group where asked. Percentiles are estimates within 1 %. */
export async function readTimeseries(
  dependencies: TimeseriesDependencies,
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
    projectId,
    conditions: { ...conditions, startMs: span.from, endMs: span.to },
    span,
    widestMs: baseWidths[interval],
    sums: sumsOf(metric),
    sketches: shareOf(metric) !== undefined,
  }
  const reading = new Reading(dependencies, plan, interval, groups)
  await reading.read(groupBy)
  const isGrouped = groupBy.kind !== 'none'
  const found = reading.table.top(groups)
  const series = isGrouped || found.length > 0 ? found : [['', new Map()] as [string, Map<number, Total>]]
  return {
    metric,
    interval,
    group_by: query.group_by ?? null,
    period_start: toIso(span.from),
    period_end: toIso(span.to),
    series: series.map(([group, points]) => ({
      group: isGrouped ? group : null,
      points: buckets.map((bucket) => {
        const total = points.get(bucket)
        return { timestamp: toIso(bucket), value: total ? metricOf(metric, total) : 0 }
      }),
    })),
  }
}
