import type {
  Breakdown,
  BreakdownQuery,
  Costs,
  ExportFormat,
  Metrics,
  Performance,
  ScoreAverages,
  ScoreAveragesQuery,
  SummaryQuery,
  Timeseries,
  TimeseriesQuery,
  TraceFilters,
} from '@cairn/contract'
import type { FairQueue } from '../../lib/fair-queue.ts'
import type { Scan, Scans } from '../../lib/scans.ts'
import { toIso } from '../../lib/time.ts'
import { dayMs, type RollupStore, type Span, sumNames } from '../rollups/index.ts'
import { parseTraceFilters, scanTraces, type TraceConditions, type TraceStore } from '../traces/index.ts'
import { readBreakdown } from './breakdown.ts'
import { formatExport } from './export-format.ts'
import { periodOf } from './period.ts'
import { readScoreAverages } from './scores.ts'
import type { AnalyticsStore } from './store.ts'
import type { ScoreListStore } from './store-scores.ts'
import { rollupsFor, SummaryReader, Total } from './summary.ts'
import { readTimeseries } from './timeseries.ts'

/** Percentiles of more latencies are estimates from sketches. */
const maxExactLatencies = 10_000
const shares = [0.5, 0.95, 0.99]

export interface AnalyticsDependencies {
  store: AnalyticsStore
  scores: ScoreListStore
  traces: TraceStore
  rollups: RollupStore
  /** For filters without a rollup. */
  scans: Scans
  exports: FairQueue
}

interface Summary {
  total: Total
  span: Span
  conditions: TraceConditions
  scan: Scan
  /** No rollup answers the conditions, so the traces were scanned. */
  isScan: boolean
}

export class AnalyticsService {
  readonly #dependencies: AnalyticsDependencies
  readonly #reader: SummaryReader

  constructor(dependencies: AnalyticsDependencies) {
    const { store, rollups, traces } = dependencies
    this.#dependencies = dependencies
    this.#reader = new SummaryReader(store, rollups, traces)
  }

  async metrics(projectId: string, query: SummaryQuery, signal?: AbortSignal): Promise<Metrics> {
    const { total, span } = await this.#summary(projectId, query, { sketches: false }, signal)
    const { traces, errors, latencies, latency_sum, costs, cost_sum } = total.sums
    return {
      total_queries: traces,
      successful: traces - errors,
      failed: errors,
      avg_response_time_ms: latencies === 0 ? 0 : latency_sum / latencies,
      total_cost: cost_sum,
      avg_cost_per_query: traces === 0 ? 0 : cost_sum / traces,
      unpriced_traces: traces - costs,
      ...toPeriod(span),
    }
  }

  async costs(projectId: string, query: SummaryQuery, signal?: AbortSignal): Promise<Costs> {
    const { total, span } = await this.#summary(projectId, query, { sketches: false }, signal)
    const { traces, costs, llm_cost, embedding_cost, reranking_cost } = total.sums
    return {
      total_cost: llm_cost + embedding_cost + reranking_cost,
      llm_cost,
      embedding_cost,
      reranking_cost,
      unpriced_traces: traces - costs,
      currency: 'USD',
      ...toPeriod(span),
    }
  }

  async performance(projectId: string, query: SummaryQuery, signal?: AbortSignal): Promise<Performance> {
    const summary = await this.#summary(projectId, query, { sketches: true }, signal)
    const { total, span } = summary
    const { traces, latencies, latency_sum } = total.sums
    const [p50 = 0, p95 = 0, p99 = 0] =
      latencies > maxExactLatencies
        ? total.latencies.percentiles(shares)
        : await this.#exactPercentiles(projectId, summary)
    return {
      p50_latency_ms: p50,
      p95_latency_ms: p95,
      p99_latency_ms: p99,
      avg_latency_ms: latencies === 0 ? 0 : latency_sum / latencies,
      total_traces: traces,
      ...toPeriod(span),
    }
  }

  timeseries(projectId: string, query: TimeseriesQuery, signal?: AbortSignal): Promise<Timeseries> {
    return readTimeseries(this.#groupDependencies, this.#scan(projectId, signal), projectId, query)
  }

  breakdown(projectId: string, query: BreakdownQuery, signal?: AbortSignal): Promise<Breakdown> {
    return readBreakdown(this.#groupDependencies, this.#scan(projectId, signal), projectId, query)
  }

  scoreAverages(projectId: string, query: ScoreAveragesQuery, signal?: AbortSignal): Promise<ScoreAverages> {
    return readScoreAverages(this.#dependencies, this.#scan(projectId, signal), projectId, query)
  }

  /**
   * The export file in pieces; without a period it contains every trace. Invalid filters and too many exports
   * throw at the first piece.
   */
  async *export(projectId: string, filters: TraceFilters, format: ExportFormat): AsyncGenerator<string> {
    const conditions = parseTraceFilters(filters)
    const { store, exports } = this.#dependencies
    const leave = await exports.enter([projectId])
    try {
      yield* formatExport(store.exportRows(projectId, conditions), format)
    } finally {
      leave()
    }
  }

  #scan(projectId: string, signal: AbortSignal | undefined): Scan {
    return this.#dependencies.scans.begin([projectId], { signal })
  }

  get #groupDependencies() {
    const { store, rollups } = this.#dependencies
    return { reader: this.#reader, store, rollups }
  }

  /** For few traces without a scan, the database computes the percentiles. Otherwise a scan collects the latencies. */
  async #exactPercentiles(
    projectId: string,
    { total, conditions, scan, isScan }: Summary,
  ): Promise<number[]> {
    const { store, traces } = this.#dependencies
    if (!isScan && total.sums.traces <= maxExactLatencies) {
      return store.percentiles(projectId, conditions, shares)
    }
    const latencies: number[] = []
    await scanTraces(scan, { traces, projectId, conditions }, async (slice) => {
      latencies.push(...(await store.latencies(projectId, slice)))
      return false
    })
    return percentilesOf(latencies, shares)
  }

  async #summary(
    projectId: string,
    query: SummaryQuery,
    { sketches }: { sketches: boolean },
    signal: AbortSignal | undefined,
  ): Promise<Summary> {
    const given = parseTraceFilters(query)
    const span = periodOf(given)
    const conditions = { ...given, startMs: span.from, endMs: span.to }
    const total = new Total()
    const sink = {
      rollup: total.addRollup.bind(total),
      facts: total.addFacts.bind(total),
    }
    const scan = this.#scan(projectId, signal)
    const plan = { scan, projectId, conditions, span, widestMs: dayMs, sums: sumNames, sketches }
    const filter = rollupsFor(given)
    if (filter) await this.#reader.readRollups(plan, filter, { bins: sketches }, sink)
    else await this.#reader.scan(plan, { bins: sketches }, sink)
    return { total, span, conditions, scan, isScan: filter === undefined }
  }
}

/** Percentiles by linear interpolation between the closest ranks, like `percentile_cont` of SQL; 0 without values. */
function percentilesOf(values: number[], shares: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort()
  return shares.map((share) => {
    const rank = share * (sorted.length - 1)
    const below = sorted[Math.floor(rank)] ?? 0
    const above = sorted[Math.ceil(rank)] ?? 0
    return below + (rank - Math.floor(rank)) * (above - below)
  })
}

function toPeriod({ from, to }: Span) {
  return { period_start: toIso(from), period_end: toIso(to) }
}
