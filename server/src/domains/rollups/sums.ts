/** The fields of a trace that the rollups need, with their stored values. */
export interface TraceFacts {
  projectId: string
  createdMs: number
  status: string
  model: string | null
  version: string | null
  environment: string | null
  /** Without duplicates. */
  tags: readonly string[]
  latencyMs: number | null
  cost: TraceCost | null
  promptTokens: number | null
  completionTokens: number | null
  totalTokens: number | null
}

/** A cost in USD. `total` is the sum of the three parts. */
export interface TraceCost {
  total: number
  llm: number
  embedding: number
  reranking: number
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
] as const

/** Sums over traces. */
export type Sums = Record<(typeof sumNames)[number], number>

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
/** `all` has one value, the empty text. */
export const dimensions = ['all', 'status', 'model', 'version', 'environment', 'tag'] as const
export type Dimension = (typeof dimensions)[number]

export interface RollupKey {
  projectId: string
  widthMs: number
  dimension: Dimension
  value: string
  bucket: number
}

/** The start of the bucket that contains a time (epoch ms), also before 1970. */
export function floorTo(ms: number, widthMs: number): number {
  return Math.floor(ms / widthMs) * widthMs
}
