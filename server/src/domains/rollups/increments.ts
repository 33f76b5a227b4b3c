import { binOf, type Sketch, toSketch } from '../../lib/sketch.ts'

/** What the summaries need to know of a trace. Values are as they are stored in the facts. */
export interface TraceFacts {
  projectId: string
  createdMs: number
  status: string
  model: string | null
  version: string | null
  environment: string | null
  /** Without repetition. */
  tags: readonly string[]
  latencyMs: number | null
  cost: TraceCost | null
  promptTokens: number | null
  completionTokens: number | null
  totalTokens: number | null
}

/** In USD; the three parts add up to the total. */
export interface TraceCost {
  total: number
  llm: number
  embedding: number
  reranking: number
}

/** Sums over traces. */
export interface Sums {
  traces: number
  errors: number
  latencies: number
  latency_sum: number
  costs: number
  cost_sum: number
  llm_cost: number
  embedding_cost: number
  reranking_cost: number
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
}

export const sumNames = [
  'traces',
  'errors',
  'latencies',
  'latency_sum',
  'costs',
  'cost_sum',
  'llm_cost',
  'embedding_cost',
  'reranking_cost',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
] as const satisfies (keyof Sums)[]

export function noSums(): Sums {
  return {
    traces: 0,
    errors: 0,
    latencies: 0,
    latency_sum: 0,
    costs: 0,
    cost_sum: 0,
    llm_cost: 0,
    embedding_cost: 0,
    reranking_cost: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    total_tokens: 0,
  }
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
/** Each trace counts in one row of each width: a period is covered by few rows, whatever its length. */
const coarserWidths = [hourMs, dayMs]

/** `all` has one value, the empty text. */
export type Dimension = 'all' | 'status' | 'model' | 'version' | 'environment' | 'tag'

export interface RollupKey {
  projectId: string
  widthMs: number
  dimension: Dimension
  value: string
  bucket: number
}

class Increment {
  readonly key: RollupKey
  readonly sums: Sums = noSums()
  readonly bins = new Map<number, number>()

  constructor(key: RollupKey) {
    this.key = key
  }

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

  get sketch(): Sketch {
    return toSketch(this.bins)
  }
}

function* dimensionsOf(facts: TraceFacts): Generator<[Dimension, string]> {
  yield ['all', '']
  yield ['status', facts.status]
  if (facts.model !== null) yield ['model', facts.model]
  if (facts.version !== null) yield ['version', facts.version]
  if (facts.environment !== null) yield ['environment', facts.environment]
  for (const tag of facts.tags) yield ['tag', tag]
}

/** What a group of traces adds to the rollups, or takes away from them. */
export class Increments {
  readonly #minutes = new Map<string, Increment>()

  addTrace(facts: TraceFacts, sign: 1 | -1 = 1): void {
    const bin = facts.latencyMs === null ? undefined : binOf(facts.latencyMs)
    for (const [dimension, value] of dimensionsOf(facts)) {
      this.#at(facts, dimension, value).addTrace(facts, sign, bin)
    }
  }

  /** Puts one cost of a trace into the place of another. */
  changeCost(facts: TraceFacts, cost: TraceCost | null): void {
    for (const [dimension, value] of dimensionsOf(facts)) {
      const increment = this.#at(facts, dimension, value)
      if (facts.cost) increment.addCost(facts.cost, -1)
      if (cost) increment.addCost(cost, 1)
    }
  }

  /** Sorted by key, as every upsert of several rows has to be. */
  sorted(): { key: RollupKey; sums: Sums; sketch: Sketch }[] {
    let last = [...this.#minutes.values()]
    const all = [...last]
    for (const widthMs of coarserWidths) {
      last = [...coarsen(last, widthMs)]
      all.push(...last)
    }
    return all.sort((a, b) => compareKeys(a.key, b.key))
  }

  #at({ projectId, createdMs }: TraceFacts, dimension: Dimension, value: string): Increment {
    const bucket = floorTo(createdMs, minuteMs)
    const id = `${projectId} ${bucket} ${dimension} ${value}`
    const known = this.#minutes.get(id)
    if (known) return known
    const fresh = new Increment({ projectId, widthMs: minuteMs, dimension, value, bucket })
    this.#minutes.set(id, fresh)
    return fresh
  }
}

/** The beginning of the stretch that holds a time; also for times before 1970. */
export function floorTo(ms: number, widthMs: number): number {
  return Math.floor(ms / widthMs) * widthMs
}

function coarsen(finer: Iterable<Increment>, widthMs: number): Iterable<Increment> {
  const coarse = new Map<string, Increment>()
  for (const part of finer) {
    const { projectId, dimension, value } = part.key
    const bucket = floorTo(part.key.bucket, widthMs)
    const id = `${projectId} ${bucket} ${dimension} ${value}`
    let sum = coarse.get(id)
    if (!sum) {
      sum = new Increment({ ...part.key, widthMs, bucket })
      coarse.set(id, sum)
    }
    sum.add(part)
  }
  return coarse.values()
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
