import type { Pricing } from '../prices/index.ts'
import type { TraceCost } from '../rollups/index.ts'
import type { TraceRecord } from './record.ts'
import { costOfSpans } from './span-costs.ts'

export type CostSource = 'client' | 'computed' | null

/** The kind of the first root span: a span whose parent is not in the trace. */
function rootSpanKind(record: TraceRecord): unknown {
  const spans: Record<string, unknown>[] = record.spans
  const ids = new Set(spans.map((span) => span.span_id).filter((id) => id !== undefined))
  return spans.find((span) => span.parent_id === undefined || !ids.has(span.parent_id))?.kind
}

/**
 * Splits a cost into parts whose sum is the cost. If the parts of `cost_breakdown` are less, the rest counts as llm. If they
 * are more, all parts are scaled down by the same factor.
 */
function split(total: number, record: TraceRecord): TraceCost {
  const { llm, embedding, reranking } = record.cost_breakdown ?? {}
  if (llm == null && embedding == null && reranking == null) {
    return rootSpanKind(record) === 'embedding'
      ? { total, llm: 0, embedding: total, reranking: 0 }
      : { total, llm: total, embedding: 0, reranking: 0 }
  }
  const parts = { llm: llm ?? 0, embedding: embedding ?? 0, reranking: reranking ?? 0 }
  const sum = parts.llm + parts.embedding + parts.reranking
  if (sum <= total) return { total, ...parts, llm: total - parts.embedding - parts.reranking }
  const factor = total / sum
  const [embeddingPart, rerankingPart] = [parts.embedding * factor, parts.reranking * factor]
  return {
    total,
    llm: Math.max(0, total - embeddingPart - rerankingPart),
    embedding: embeddingPart,
    reranking: rerankingPart,
  }
}

/**
 * The cost from the client if it sent one. Otherwise the cost is computed from the spans, or else from model and tokens of
 * the trace: spans know the model of each call.
 */
export function costOf(
  record: TraceRecord,
  createdMs: number,
  pricing: Pricing,
): { cost: TraceCost | null; source: CostSource } {
  if (record.cost !== null) return { cost: split(record.cost, record), source: 'client' }
  const ofSpans = costOfSpans(record.spans, createdMs, pricing)
  if (ofSpans) return { cost: ofSpans, source: 'computed' }
  const computed = pricing(record.model, record.token_usage, createdMs)
  if (computed === null) return { cost: null, source: null }
  return { cost: split(computed, record), source: 'computed' }
}
