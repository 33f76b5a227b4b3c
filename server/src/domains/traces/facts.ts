import { indexableOrNull } from '../../lib/indexable.ts'
import type { Pricing } from '../prices/index.ts'
import type { TraceFacts } from '../rollups/index.ts'
import { type CostSource, costOf } from './cost.ts'
import { type Label, labelsOf, tagsOf } from './labels.ts'
import { encodeRecord, type TraceRecord } from './record.ts'

/** A new trace with the values of its columns, which are computed once. */
export interface NewTrace {
  traceId: string
  facts: TraceFacts
  costSource: CostSource
  sessionId: string | null
  userId: string | null
  labels: readonly Label[]
  body: Buffer
}

/** The facts of a record. The cost is a parameter, because it also depends on prices. */
export function factsOf(projectId: string, record: TraceRecord, cost: TraceFacts['cost']): TraceFacts {
  const usage = record.token_usage
  const [prompt, completion] = [usage?.prompt_tokens ?? null, usage?.completion_tokens ?? null]
  const bothTokens = prompt === null && completion === null ? null : (prompt ?? 0) + (completion ?? 0)
  return {
    projectId,
    createdMs: Date.parse(record.created_at),
    status: record.status,
    model: indexableOrNull(record.model),
    version: indexableOrNull(record.version),
    environment: indexableOrNull(record.environment),
    tags: tagsOf(record),
    latencyMs: record.latency_ms,
    cost,
    promptTokens: prompt,
    completionTokens: completion,
    totalTokens: usage?.total_tokens ?? bothTokens,
  }
}

export function toNewTrace(
  projectId: string,
  record: TraceRecord,
  pricing: Pricing,
  body = encodeRecord(record),
): NewTrace {
  const { cost, source } = costOf(record, Date.parse(record.created_at), pricing)
  const facts = factsOf(projectId, record, cost)
  return {
    traceId: record.trace_id,
    facts,
    costSource: source,
    sessionId: indexableOrNull(record.session_id),
    userId: indexableOrNull(record.user_id),
    labels: labelsOf(record, facts.tags),
    body,
  }
}
