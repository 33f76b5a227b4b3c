import type { CreateTrace } from '@cairn/contract'
import { createPacer } from '../../lib/turns.ts'
import type { ScoreRow } from '../scores/index.ts'
import type { NewTrace } from '../traces/index.ts'
import { toGivenScore, toScore } from './evaluations.ts'
import type { GivenTrace } from './given.ts'
import { toTraceInSteps } from './mapping/index.ts'
import type { OtlpSpan } from './span.ts'
import type { AssembledRow } from './store.ts'
import type { SpansOfTrace } from './stored-part.ts'

/** A trace that was put together, in the form of `toSteps`. */
export interface Assembled extends NewTrace {
  spans: SpansOfTrace
  /** The trace has its root span now and had none before. */
  isComplete: boolean
  hasRoot: boolean
  items: string[]
}

/** The trace that spans and given fields make. Spans can have 50 MB, so there are pauses. */
export async function mapSpans(
  spans: readonly OtlpSpan[],
  given: GivenTrace | undefined,
): Promise<CreateTrace> {
  const pace = createPacer()
  const steps = toTraceInSteps(spans, given)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pace()
  }
}

/**
 * The scores of evaluations, and given scores: in stored traces only the new ones, because users may have deleted the
 * others.
 */
export async function scoresOf(
  projectId: string,
  traces: readonly Assembled[],
  stored: ReadonlySet<string>,
): Promise<ScoreRow[]> {
  const scores: ScoreRow[] = []
  const pace = createPacer()
  for (const { traceId, spans, items } of traces) {
    const since = stored.has(traceId) ? new Set(items) : undefined
    for (const { spanId, event } of spans.events(since)) {
      const score = toScore({ projectId, traceId, spanId }, event)
      if (score) scores.push(score)
      await pace()
    }
    for (const score of spans.scores(since)) scores.push(toGivenScore({ projectId, traceId }, score))
  }
  return scores
}

export function toRow(spans: SpansOfTrace, hasRoot: boolean): AssembledRow {
  const { traceId, count, bytes } = spans
  return { trace_id: traceId, span_count: count, span_bytes: bytes, has_root: hasRoot ? 1 : 0 }
}
