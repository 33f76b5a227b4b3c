import type { ScoreRow } from '../scores/index.ts'
import type { NewTrace } from '../traces/index.ts'
import { toGivenScore, toScore } from './evaluations.ts'
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

/** The scores of evaluations: in a stored trace only the new ones, because users may have deleted the others. */
export function scoresOf(
  projectId: string,
  { traceId, spans, items }: Assembled,
  isStored: boolean,
): ScoreRow[] {
  const events = spans.events(isStored ? new Set(items) : undefined)
  const given = spans.scores(isStored ? new Set(items) : undefined)
  return [
    ...[...events].flatMap(({ spanId, event }) => toScore({ projectId, traceId, spanId }, event) ?? []),
    ...given.map((score) => toGivenScore({ projectId, traceId }, score)),
  ]
}

export function toRow(spans: SpansOfTrace, hasRoot: boolean): AssembledRow {
  const { traceId, count, bytes } = spans
  return { trace_id: traceId, span_count: count, span_bytes: bytes, has_root: hasRoot ? 1 : 0 }
}
