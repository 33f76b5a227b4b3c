import { SketchSum } from '../../lib/sketch.ts'
import {
  cover,
  Deadline,
  dayMs,
  floorTo,
  noSums,
  planSlices,
  type RollupColumns,
  type RollupFilter,
  type RollupRow,
  type RollupStore,
  type Span,
  type Sums,
  sumNames,
} from '../rollups/index.ts'
import { slicedBy, type TraceConditions } from '../traces/index.ts'
import type { AnalyticsStore, Grouping, SumRow } from './store.ts'

/** Sums that also know how the latencies are distributed. */
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

/** Where sums come in: those of one stretch of time and one value of what they are grouped by. */
export interface Sink {
  rollup(row: RollupRow): void
  facts(row: SumRow): void
}

/** The rollups that know the answer; undefined when conditions meet that no rollup was kept for. */
export function rollupsFor(conditions: TraceConditions): RollupFilter | undefined {
  const { status, model, version, environment, labels = [], scores = [] } = conditions
  const { sessionId, userId, minLatencyMs, maxLatencyMs, minCost, maxCost, text } = conditions
  const others = [sessionId, userId, minLatencyMs, maxLatencyMs, minCost, maxCost, text]
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
  conditions: TraceConditions
  span: Span
  /** The widest rollups that keep the stretches of time apart that the caller wants to see. */
  widestMs: number
}

/** Reads sums of a period from rollups, or by a scan of the traces within a time limit. */
export class SummaryReader {
  readonly #store: AnalyticsStore
  readonly #rollups: RollupStore
  readonly #scanMs: number

  constructor(store: AnalyticsStore, rollups: RollupStore, scanMs: number) {
    this.#store = store
    this.#rollups = rollups
    this.#scanMs = scanMs
  }

  /**
   * Whole rollup rows for the period, and the traces themselves for what is left at its ends. Beyond the oldest
   * and the newest trace there is nothing, so there the period is as good as rounded up.
   */
  async readRollups(plan: ReadPlan, filter: RollupFilter, grouping: Grouping, sink: Sink): Promise<void> {
    const { projectId, conditions, widestMs } = plan
    const span = await this.#rounded(projectId, plan.span)
    if (!span) return
    const { segments, edges } = cover(span, widestMs)
    const rows = await Promise.all(
      segments.map((segment) => this.#rollups.read(projectId, filter, segment, plan)),
    )
    for (const row of rows.flat()) sink.rollup(row)
    await this.#readFacts(projectId, conditions, edges, grouping, sink)
  }

  /** The traces themselves, slice by slice. */
  async scan({ projectId, conditions, span }: ReadPlan, grouping: Grouping, sink: Sink): Promise<void> {
    const deadline = new Deadline(this.#scanMs)
    for (const slice of await planSlices(this.#rollups, projectId, slicedBy(conditions), span)) {
      deadline.check()
      await this.#readFacts(projectId, conditions, [slice], grouping, sink)
    }
    deadline.check()
  }

  async #readFacts(
    projectId: string,
    conditions: TraceConditions,
    spans: Span[],
    grouping: Grouping,
    sink: Sink,
  ): Promise<void> {
    for (const { from, to } of spans) {
      const rows = await this.#store.sums(projectId, { ...conditions, startMs: from, endMs: to }, grouping)
      for (const row of rows) sink.facts(row)
    }
  }

  async #rounded(projectId: string, { from, to }: Span): Promise<Span | undefined> {
    const bounds = await this.#store.bounds(projectId)
    if (!bounds || from > bounds.newest || to <= bounds.oldest) return undefined
    return {
      from: from <= bounds.oldest ? floorTo(bounds.oldest, dayMs) : from,
      to: to > bounds.newest ? floorTo(bounds.newest, dayMs) + dayMs : to,
    }
  }
}
