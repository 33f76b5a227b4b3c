import { CairnError, type ExportFormat, type Metrics, type Trace, type TraceFilters } from '@cairn/contract'
import { toIso } from '../../lib/time.ts'
import { decodeRecord, parseTraceFilters } from '../traces/index.ts'
import { formatExport } from './export-format.ts'
import type { AnalyticsStore } from './store.ts'

const defaultPeriodMs = 30 * 24 * 60 * 60 * 1000

export class AnalyticsService {
  readonly #store: AnalyticsStore
  readonly #maxExports: number
  #exports = 0

  constructor(store: AnalyticsStore, maxExports: number) {
    this.#store = store
    this.#maxExports = maxExports
  }

  /** The default period is the last 30 days up to now. */
  async metrics(projectId: string, filters: TraceFilters): Promise<Metrics> {
    const conditions = parseTraceFilters(filters)
    // The newest trace may carry this very millisecond, and the end is exclusive.
    const endMs = conditions.endMs ?? Math.max(Date.now() + 1, conditions.startMs ?? 0)
    const startMs = conditions.startMs ?? endMs - defaultPeriodMs
    const row = await this.#store.metrics(projectId, { ...conditions, startMs, endMs })
    return {
      total_queries: row.total,
      successful: row.successful,
      failed: row.total - row.successful,
      avg_response_time_ms: row.avgLatencyMs,
      total_cost: row.totalCost,
      avg_cost_per_query: row.total === 0 ? 0 : row.totalCost / row.total,
      period_start: toIso(startMs),
      period_end: toIso(endMs),
    }
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
      yield* formatExport(this.#traces(projectId, conditions), format)
    } finally {
      this.#exports -= 1
    }
  }

  async *#traces(projectId: string, conditions: ReturnType<typeof parseTraceFilters>): AsyncGenerator<Trace> {
    for await (const { body, scores } of this.#store.exportRows(projectId, conditions)) {
      const record = decodeRecord(body)
      yield { ...record, scores: scores.map((score) => ({ ...score, created_at: toIso(score.created_at) })) }
    }
  }
}
