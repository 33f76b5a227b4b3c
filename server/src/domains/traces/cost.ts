import type { Pricing } from '../prices/index.ts'
import type { TraceCost } from '../rollups/index.ts'
import type { TraceRecord } from './record.ts'

export type CostSource = 'client' | 'computed' | null

/** The kind of the first span that hangs on no other span of the trace. */
function topSpanKind(record: TraceRecord): unknown {
  const spans: Record<string, unknown>[] = record.spans
  const ids = new Set(spans.map((span) => span.span_id).filter((id) => id !== undefined))
  return spans.find((span) => span.parent_id === undefined || !ids.has(span.parent_id))?.kind
}

/**
 * The parts of a cost, which add up to it. A breakdown that does not is made to: what is missing counts as llm,
 * and where the parts come to more they shrink by the same factor.
 */
function split(total: number, record: TraceRecord): TraceCost {
  const { llm, embedding, reranking } = record.cost_breakdown ?? {}
  if (llm == null && embedding == null && reranking == null) {
    return topSpanKind(record) === 'embedding'
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

/** A client's cost wins; else it is computed from model and tokens. */
export function costOf(
  record: TraceRecord,
  createdMs: number,
  pricing: Pricing,
): { cost: TraceCost | null; source: CostSource } {
  if (record.cost !== null) return { cost: split(record.cost, record), source: 'client' }
  const computed = pricing(record.model, record.token_usage, createdMs)
  if (computed === null) return { cost: null, source: null }
  return { cost: split(computed, record), source: 'computed' }
}
