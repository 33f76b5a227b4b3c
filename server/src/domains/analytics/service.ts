import {
  type Breakdown,
  type BreakdownQuery,
  CairnError,
  type Costs,
  type ExportFormat,
  type Metrics,
  type Performance,
  type ScoreAverages,
  type ScoreAveragesQuery,
  type SummaryQuery,
  type Timeseries,
  type TimeseriesQuery,
  type TraceFilters,
} from '@cairn/contract'
import { toIso } from '../../lib/time.ts'
import { dayMs, type RollupStore, type Span, sumNames } from '../rollups/index.ts'
import { parseTraceFilters, type TraceConditions } from '../traces/index.ts'
import { readBreakdown } from './breakdown.ts'
import { formatExport } from './export-format.ts'
import { periodOf } from './period.ts'
import { readScoreAverages } from './scores.ts'
import type { AnalyticsStore } from './store.ts'
import { rollupsFor, SummaryReader, Total } from './summary.ts'
import { readTimeseries } from './timeseries.ts'

/** Up to as many latencies percentiles are exact. */
const exactPercentiles = 10_000
const shares = [0.5, 0.95, 0.99]

export interface AnalyticsOptions {
  maxExports: number
  /** For filters that no rollup answers. */
  scanMs: number
}

interface Summary {
  total: Total
  span: Span
  conditions: TraceConditions
}

export class AnalyticsService {
  readonly #store: AnalyticsStore
  readonly #rollups: RollupStore
  readonly #reader: SummaryReader
  readonly #maxExports: number
  #exports = 0

  constructor(store: AnalyticsStore, rollups: RollupStore, { maxExports, scanMs }: AnalyticsOptions) {
    this.#store = store
    this.#rollups = rollups
    this.#reader = new SummaryReader(store, rollups, scanMs)
    this.#maxExports = maxExports
  }

  async metrics(projectId: string, query: SummaryQuery): Promise<Metrics> {
    const { total, span } = await this.#summary(projectId, query, { sketches: false })
    const { traces, errors, latencies, latency_sum, cost_sum } = total.sums
    return {
      total_queries: traces,
      successful: traces - errors,
      failed: errors,
      avg_response_time_ms: latencies === 0 ? 0 : latency_sum / latencies,
      total_cost: cost_sum,
      avg_cost_per_query: traces === 0 ? 0 : cost_sum / traces,
      ...toPeriod(span),
    }
  }

  async costs(projectId: string, query: SummaryQuery): Promise<Costs> {
    const { total, span } = await this.#summary(projectId, query, { sketches: false })
    const { llm_cost, embedding_cost, reranking_cost } = total.sums
    return {
      total_cost: llm_cost + embedding_cost + reranking_cost,
      llm_cost,
      embedding_cost,
      reranking_cost,
      currency: 'USD',
      ...toPeriod(span),
    }
  }

  async performance(projectId: string, query: SummaryQuery): Promise<Performance> {
    const { total, span, conditions } = await this.#summary(projectId, query, { sketches: true })
    const { traces, latencies, latency_sum } = total.sums
    const [p50 = 0, p95 = 0, p99 = 0] =
      latencies > exactPercentiles
        ? total.latencies.percentiles(shares)
        : await this.#store.percentiles(projectId, conditions, shares)
    return {
      p50_latency_ms: p50,
      p95_latency_ms: p95,
      p99_latency_ms: p99,
      avg_latency_ms: latencies === 0 ? 0 : latency_sum / latencies,
      total_traces: traces,
      ...toPeriod(span),
    }
  }

  timeseries(projectId: string, query: TimeseriesQuery): Promise<Timeseries> {
    return readTimeseries(this.#groupDependencies, projectId, query)
  }

  breakdown(projectId: string, query: BreakdownQuery): Promise<Breakdown> {
    return readBreakdown(this.#groupDependencies, projectId, query)
  }

  scoreAverages(projectId: string, query: ScoreAveragesQuery): Promise<ScoreAverages> {
    return readScoreAverages(this.#store, projectId, query)
  }

  /**
   * The export file in pieces; without a period it holds every trace. Bad filters, and one export too many,
   * throw with the first one.
   */
  async *export(projectId: string, filters: TraceFilters, format: ExportFormat): AsyncGenerator<string> {
    const conditions = parseTraceFilters(filters)
    if (this.#exports >= this.#maxExports) {
      throw new CairnError('overloaded', 'too many exports are running; try again later', { retryAfter: 5 })
    }
    this.#exports += 1
    try {
      yield* formatExport(this.#store.exportRows(projectId, conditions), format)
    } finally {
      this.#exports -= 1
    }
  }

  get #groupDependencies() {
    return { reader: this.#reader, store: this.#store, rollups: this.#rollups }
  }

  async #summary(
    projectId: string,
    query: SummaryQuery,
    { sketches }: { sketches: boolean },
  ): Promise<Summary> {
    const given = parseTraceFilters(query)
    const span = periodOf(given)
    const conditions = { ...given, startMs: span.from, endMs: span.to }
    const total = new Total()
    const sink = {
      rollup: total.addRollup.bind(total),
      facts: total.addFacts.bind(total),
    }
    const plan = { projectId, conditions, span, widestMs: dayMs, sums: sumNames, sketches }
    const filter = rollupsFor(given)
    if (filter) await this.#reader.readRollups(plan, filter, { bins: sketches }, sink)
    else await this.#reader.scan(plan, { bins: sketches }, sink)
    return { total, span, conditions }
  }
}

function toPeriod({ from, to }: Span) {
  return { period_start: toIso(from), period_end: toIso(to) }
}
