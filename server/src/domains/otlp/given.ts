import type { TokenUsage } from '@cairn/contract'

/* Parts of a trace that OTLP does not have, and exports of other tools do. */

/** Fields of a trace that are known apart from its spans. They take precedence over the fields of the spans. */
export interface GivenTrace {
  name?: string
  input?: unknown
  output?: unknown
  startMs?: number
  latencyMs?: number
  /** The message of a failed trace. */
  error?: string
  sessionId?: string
  userId?: string
  tags?: string[]
  metadata?: { [key: string]: unknown }
  version?: string
  environment?: string
  /** Sums, for traces whose spans have no tokens and no costs. */
  tokenUsage?: TokenUsage
  cost?: number
}

export interface GivenScore {
  /** The same score has the same id in each import. */
  id: string
  name: string
  value: number
  comment?: string
  /** Missing for a score of the whole trace. */
  spanId?: string
  createdMs: number
}
