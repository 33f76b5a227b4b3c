import { binOf, type Sketch, toSketch } from '../../lib/sketch.ts'
import {
  type Dimension,
  dayMs,
  dimensions,
  floorTo,
  hourMs,
  minuteMs,
  noSums,
  type RollupKey,
  type Sums,
  sumNames,
  type TraceCost,
  type TraceFacts,
} from './sums.ts'

/** Each trace counts in one bucket of each width, so that few buckets cover a period of any length. */
const widths = [minuteMs, hourMs, dayMs]

class Increment {
  readonly sums: Sums = noSums()
  readonly bins = new Map<number, number>()

  addTrace(facts: TraceFacts, sign: 1 | -1, bin: number | undefined): void {
    const { sums } = this
    sums.traces += sign
    if (facts.status === 'error') sums.errors += sign
    if (facts.latencyMs !== null && bin !== undefined) {
      sums.latencies += sign
      sums.latency_sum += sign * facts.latencyMs
      this.bins.set(bin, (this.bins.get(bin) ?? 0) + sign)
    }
    if (facts.cost !== null) this.addCost(facts.cost, sign)
    sums.prompt_tokens += sign * (facts.promptTokens ?? 0)
    sums.completion_tokens += sign * (facts.completionTokens ?? 0)
    sums.total_tokens += sign * (facts.totalTokens ?? 0)
  }

  addCost(cost: TraceCost, sign: 1 | -1): void {
    const { sums } = this
    sums.costs += sign
    sums.cost_sum += sign * cost.total
    sums.llm_cost += sign * cost.llm
    sums.embedding_cost += sign * cost.embedding
    sums.reranking_cost += sign * cost.reranking
  }

  add(other: Increment): void {
    for (const name of sumNames) this.sums[name] += other.sums[name]
    for (const [bin, count] of other.bins) this.bins.set(bin, (this.bins.get(bin) ?? 0) + count)
  }
}

/** The increments of one project and one minute, by dimension and then by value. */
type Minute = Record<Dimension, Map<string, Increment>>

function emptyMinute(): Minute {
  return {
    all: new Map(),
    status: new Map(),
    model: new Map(),
    version: new Map(),
    environment: new Map(),
    tag: new Map(),
  }
}

function incrementOf(values: Map<string, Increment>, value: string): Increment {
  const known = values.get(value)
  if (known) return known
  const created = new Increment()
  values.set(value, created)
  return created
}

/** The dimensions and values that a trace counts for. */
function* keysOf(facts: TraceFacts): Generator<[Dimension, string]> {
  yield ['all', '']
  yield ['status', facts.status]
  if (facts.model !== null) yield ['model', facts.model]
  if (facts.version !== null) yield ['version', facts.version]
  if (facts.environment !== null) yield ['environment', facts.environment]
  for (const tag of facts.tags) yield ['tag', tag]
}

/** The changes of the rollups by a group of traces. A deletion or a changed cost has negative amounts. */
export class Increments {
  readonly #projects = new Map<string, Map<number, Minute>>()
  /** Rows of hours and days. */
  readonly #wideRows = new Set<string>()
  #minuteRows = 0

  static of(traces: readonly { facts: TraceFacts }[]): Increments {
    const increments = new Increments()
    for (const { facts } of traces) increments.addTrace(facts)
    return increments
  }

  /** The number of rollup rows that the increments change. */
  get rows(): number {
    return this.#minuteRows + this.#wideRows.size
  }

  addTrace(facts: TraceFacts, sign: 1 | -1 = 1): void {
    const bin = facts.latencyMs === null ? undefined : binOf(facts.latencyMs)
    for (const increment of this.#incrementsOf(facts)) increment.addTrace(facts, sign, bin)
  }

  /** Replaces the cost of a trace. */
  changeCost(facts: TraceFacts, cost: TraceCost | null): void {
    for (const increment of this.#incrementsOf(facts)) {
      if (facts.cost) increment.addCost(facts.cost, -1)
      if (cost) increment.addCost(cost, 1)
    }
  }

  /** The rows of every width, sorted by key, so that concurrent upserts lock rows in the same order. */
  sorted(): { key: RollupKey; sums: Sums; sketch: Sketch }[] {
    return widths.flatMap((widthMs) => [...this.#rows(widthMs)]).sort((a, b) => compareKeys(a.key, b.key))
  }

  *#incrementsOf(facts: TraceFacts): Generator<Increment> {
    const minute = this.#minute(facts.projectId, facts.createdMs)
    for (const [dimension, value] of keysOf(facts)) {
      const known = minute[dimension].get(value)
      if (known) yield known
      else {
        this.#countRows(facts, dimension, value)
        yield incrementOf(minute[dimension], value)
      }
    }
  }

  #countRows({ projectId, createdMs }: TraceFacts, dimension: Dimension, value: string): void {
    this.#minuteRows += 1
    for (const widthMs of [hourMs, dayMs]) {
      this.#wideRows.add(`${projectId} ${widthMs} ${floorTo(createdMs, widthMs)} ${dimension} ${value}`)
    }
  }

  #minute(projectId: string, ms: number): Minute {
    let minutes = this.#projects.get(projectId)
    if (!minutes) {
      minutes = new Map()
      this.#projects.set(projectId, minutes)
    }
    const bucket = floorTo(ms, minuteMs)
    let minute = minutes.get(bucket)
    if (!minute) {
      minute = emptyMinute()
      minutes.set(bucket, minute)
    }
    return minute
  }

  *#rows(widthMs: number): Generator<{ key: RollupKey; sums: Sums; sketch: Sketch }> {
    for (const [projectId, minutes] of this.#projects) {
      for (const [bucket, increments] of widthMs === minuteMs ? minutes : coarsen(minutes, widthMs)) {
        for (const dimension of dimensions) {
          for (const [value, { sums, bins }] of increments[dimension]) {
            yield { key: { projectId, widthMs, dimension, value, bucket }, sums, sketch: toSketch(bins) }
          }
        }
      }
    }
  }
}

function coarsen(minutes: ReadonlyMap<number, Minute>, widthMs: number): Map<number, Minute> {
  const coarse = new Map<number, Minute>()
  for (const [from, minute] of minutes) {
    const bucket = floorTo(from, widthMs)
    const sum = coarse.get(bucket) ?? emptyMinute()
    coarse.set(bucket, sum)
    for (const dimension of dimensions) {
      for (const [value, increment] of minute[dimension]) incrementOf(sum[dimension], value).add(increment)
    }
  }
  return coarse
}

function compareKeys(a: RollupKey, b: RollupKey): number {
  return (
    compare(a.projectId, b.projectId) ||
    a.widthMs - b.widthMs ||
    compare(a.dimension, b.dimension) ||
    compare(a.value, b.value) ||
    a.bucket - b.bucket
  )
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
