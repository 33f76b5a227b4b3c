import type { RowInsert, Tables } from '../../../db/index.ts'
import type { NewTrace } from '../facts.ts'

export const factColumns = [
  'project_id',
  'trace_id',
  'created_at',
  'status',
  'model',
  'version',
  'session_id',
  'user_id',
  'environment',
  'latency_ms',
  'cost',
  'cost_source',
  'llm_cost',
  'embedding_cost',
  'reranking_cost',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
] as const satisfies (keyof Tables['traces'])[]

export function toFactRow({ traceId, facts, costSource, sessionId, userId }: NewTrace) {
  return [
    facts.projectId,
    traceId,
    facts.createdMs,
    facts.status,
    facts.model,
    facts.version,
    sessionId,
    userId,
    facts.environment,
    facts.latencyMs,
    facts.cost?.total ?? null,
    costSource,
    facts.cost?.llm ?? null,
    facts.cost?.embedding ?? null,
    facts.cost?.reranking ?? null,
    facts.promptTokens,
    facts.completionTokens,
    facts.totalTokens,
  ]
}

/** The rows of the traces, without the rollups. */
export function traceInserts(traces: readonly NewTrace[]): RowInsert[] {
  return [
    { table: 'traces', columns: factColumns, rows: traces.map(toFactRow) },
    {
      table: 'trace_bodies',
      columns: ['project_id', 'trace_id', 'body'],
      rows: traces.map(({ traceId, facts, body }) => [facts.projectId, traceId, body]),
    },
    labelInsert(traces),
  ]
}

export const labelColumns = ['project_id', 'name', 'value', 'created_at', 'trace_id']

export function labelInsert(traces: readonly Pick<NewTrace, 'traceId' | 'facts' | 'labels'>[]): RowInsert {
  return {
    table: 'trace_labels',
    columns: labelColumns,
    rows: traces.flatMap(({ traceId, facts, labels }) =>
      labels.map(({ name, value }) => [facts.projectId, name, value, facts.createdMs, traceId]),
    ),
  }
}
