import type { Scan } from '../../lib/scans.ts'
import { SketchSum } from '../../lib/sketch.ts'
import { createPacer } from '../../lib/turns.ts'
import {
  cover,
  dayMs,
  floorTo,
  minuteMs,
  noSums,
  type RollupColumns,
  type RollupFilter,
  type RollupRow,
  type RollupStore,
  type Span,
  type Sums,
  sumNames,
} from '../rollups/index.ts'
import { scanTraces, type TraceConditions, type TraceStore } from '../traces/index.ts'
import type { AnalyticsStore, Grouping, SumRow } from './store.ts'

/** Maximum number of traces at one end of a period that are read without a scan. */
const maxEdgeTraces = 5_000

/** Sums, and a sketch of the latencies. */
export class Total {
  readonly sums: Sums = noSums()
  readonly latencies = new SketchSum()

  addRollup(row: RollupRow): void {
    this.#addSums(row)
    if (row.sketch) this.latencies.add(row.sketch)
  }

  addFacts(row: SumRow): void {
    this.#addSums(row)
    if (row.bin !== null) this.latencies.addBin(row.bin, row.latencies)
  }

  #addSums(row: Partial<Sums>): void {
    for (const name of sumNames) this.sums[name] += row[name] ?? 0
  }
}

/** Receives the sums of one interval and one group value. */
export interface Sink {
  rollup(row: RollupRow): void
  facts(row: SumRow): void
}

/** The rollups that answer the conditions; undefined if no rollup has this combination. */
export function rollupsFor(conditions: TraceConditions): RollupFilter | undefined {
  const { status, model, version, environment, labels = [], scores = [] } = conditions
  const { ids, sessionId, userId, minLatencyMs, maxLatencyMs, minCost, maxCost, text } = conditions
  const others = [ids, sessionId, userId, minLatencyMs, maxLatencyMs, minCost, maxCost, text]
  if (others.some((value) => value !== undefined) || scores.length > 0) return undefined
  const given: RollupFilter[] = []
  if (status !== undefined) given.push({ dimension: 'status', values: [status] })
  if (model !== undefined) given.push({ dimension: 'model', values: [model] })
  if (version !== undefined) given.push({ dimension: 'version', values: [version] })
  if (environment !== undefined) given.push({ dimension: 'environment', values: [environment] })
  for (const { name, value } of labels) {
    if (name !== 'tag') return undefined
    given.push({ dimension: 'tag', values: [value] })
  }
  if (given.length > 1) return undefined
  return given[0] ?? { dimension: 'all', values: [''] }
}

export interface ReadPlan extends RollupColumns {
  projectId: string
  /** For conditions without a rollup. */
  scan: Scan
  conditions: TraceConditions
  span: Span
  /** The widest rollups that still separate the requested intervals. */
  widestMs: number
}

/** Reads sums of a period from rollups, or by a scan of the traces. */
export class SummaryReader {
  readonly #store: AnalyticsStore
  readonly #rollups: RollupStore
  readonly #traces: TraceStore

  constructor(store: AnalyticsStore, rollups: RollupStore, traces: TraceStore) {
    this.#store = store
    this.#rollups = rollups
    this.#traces = traces
  }

  /**
   * Reads rollups for the period, and traces for the parts of a minute at its ends. An end beyond the oldest or newest trace
   * needs no traces: it is first moved to the day boundary next to that trace.
   */
  async readRollups(plan: ReadPlan, filter: RollupFilter, grouping: Grouping, sink: Sink): Promise<void> {
    const { widestMs, projectId } = plan
    const span = await this.#rounded(projectId, plan.span)
    if (!span) return
    const { segments, edges } = cover(span, widestMs)
    const rows = await Promise.all(
      segments.map((segment) => this.#rollups.read(projectId, filter, segment, plan)),
    )
    const pace = createPacer()
    for (const row of rows.flat()) {
      sink.rollup(row)
      await pace()
    }
    for (const edge of edges) await this.#readEdge(plan, edge, filter, grouping, sink)
  }

  /** Computes the sums from the traces, in slices of a scan. */
  async scan({ scan, projectId, conditions, span }: ReadPlan, grouping: Grouping, sink: Sink): Promise<void> {
    const period = { ...conditions, startMs: span.from, endMs: span.to }
    await scanTraces(scan, { traces: this.#traces, projectId, conditions: period }, async (slice) => {
      for (const row of await this.#store.sums(projectId, slice, grouping, true)) sink.facts(row)
      return false
    })
  }

  /** Reads the traces of a part of a minute. If the minute has very many traces, for example after an import, by a scan. */
  async #readEdge(
    plan: ReadPlan,
    span: Span,
    filter: RollupFilter,
    grouping: Grouping,
    sink: Sink,
  ): Promise<void> {
    const { projectId, conditions } = plan
    const minute = { widthMs: minuteMs, from: floorTo(span.from, minuteMs), to: span.to }
    const rows = await this.#rollups.read(projectId, filter, minute, { sums: ['traces'], sketches: false })
    const traces = rows.reduce((sum, row) => sum + (row.traces ?? 0), 0)
    if (traces > maxEdgeTraces) return this.scan({ ...plan, span }, grouping, sink)
    const edge = { ...conditions, startMs: span.from, endMs: span.to }
    for (const row of await this.#store.sums(projectId, edge, grouping, false)) sink.facts(row)
  }

  /** Moves an end beyond the oldest or newest trace to the day boundary next to it; undefined without traces in the period. */
  async #rounded(projectId: string, { from, to }: Span): Promise<Span | undefined> {
    const bounds = await this.#store.bounds(projectId)
    if (!bounds || from > bounds.newest || to <= bounds.oldest) return undefined
    return {
      from: from <= bounds.oldest ? floorTo(bounds.oldest, dayMs) : from,
      to: to > bounds.newest ? floorTo(bounds.newest, dayMs) + dayMs : to,
    }
  }
}
