import { limits, type Span } from '@cairn/contract'
import { haveMarkedBelow, parentIndexes } from '../../lib/forest.ts'
import type { Pricing } from '../prices/index.ts'
import type { TraceCost } from '../rollups/index.ts'

/** A span as stored. Traces of older versions have values of any type in fields that were unknown then. */
type StoredSpan = Record<string, unknown>

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The cost that the client sent, or else the cost computed from model and tokens; null without either. */
function ownCost(span: StoredSpan, createdMs: number, pricing: Pricing): number | null {
  const { cost, model, token_usage: usage } = span
  if (typeof cost === 'number' && cost >= 0) return cost
  return typeof model === 'string' && isObject(usage) ? pricing(model, usage, createdMs) : null
}

/**
 * The sum of the costs of a trace's spans, or null if no span has a cost. A span with a cost below it does not count,
 * because agents and wrappers repeat the tokens and costs of the calls that they make.
 */
export function costOfSpans(given: readonly Span[], createdMs: number, pricing: Pricing): TraceCost | null {
  const spans: readonly StoredSpan[] = given
  if (!spans.some(({ cost, token_usage }) => cost !== undefined || token_usage !== undefined)) return null
  const costs = spans.map((span) => ownCost(span, createdMs, pricing))
  const links = spans.map(({ span_id, parent_id }) => ({ id: textOf(span_id), parentId: textOf(parent_id) }))
  const arePricedBelow = haveMarkedBelow(parentIndexes(links), (index) => costs[index] != null)
  const counted = costs.flatMap((cost, index) => {
    const { kind, name } = spans[index] ?? {}
    return cost === null || arePricedBelow[index] ? [] : [{ cost, part: partOf(kind, name) }]
  })
  if (counted.length === 0) return null
  const sum = (part: CostPart) =>
    counted.filter((one) => one.part === part).reduce((total, { cost }) => total + cost, 0)
  const [llm, embedding, reranking] = [sum('llm'), sum('embedding'), sum('reranking')]
  const total = llm + embedding + reranking
  return total <= limits.largestAmount ? { total, llm, embedding, reranking } : null
}

type CostPart = 'llm' | 'embedding' | 'reranking'

/** There is no kind for reranking, which is a part of retrieval. */
function partOf(kind: unknown, name: unknown): CostPart {
  if (kind === 'embedding') return 'embedding'
  return kind === 'retrieval' && name === 'rerank' ? 'reranking' : 'llm'
}
