import { sha256 } from '../../lib/hash.ts'
import { type ScoreRow, toScoreRow } from '../scores/index.ts'
import type { GivenScore } from './given.ts'
import type { SpanEvent } from './span.ts'

const maxNameLength = 200

/**
 * The score of an event `gen_ai.evaluation.result`; undefined for other events, and for results without a value from 0 to 1.
 * A repeated event gives the same id.
 */
export function toScore(
  { projectId, traceId, spanId }: { projectId: string; traceId: string; spanId: string },
  event: SpanEvent,
): ScoreRow | undefined {
  if (event.name !== 'gen_ai.evaluation.result') return undefined
  const {
    'gen_ai.evaluation.name': name,
    'gen_ai.evaluation.score.value': value,
    'gen_ai.evaluation.score.label': label,
    'gen_ai.evaluation.explanation': explanation,
  } = event.attributes
  if (typeof name !== 'string' || name.trim() === '' || name.length > maxNameLength) return undefined
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) return undefined
  const comment = [label, explanation].filter((text) => typeof text === 'string' && text !== '').join(': ')
  const row = toScoreRow(
    { projectId, traceId },
    { name, value, span_id: spanId, ...(comment !== '' && { comment }) },
  )
  const hash = BigInt(`0x${sha256(JSON.stringify([spanId, event]))}`)
  return { ...row, score_id: `scr_${hash.toString(36).slice(0, 20).padStart(20, '0')}` }
}

/** The row of a score that an import has read. */
export function toGivenScore(
  trace: { projectId: string; traceId: string },
  { id, spanId, createdMs, ...score }: GivenScore,
): ScoreRow {
  const row = toScoreRow(trace, { ...score, ...(spanId !== undefined && { span_id: spanId }) }, createdMs)
  return { ...row, score_id: id }
}
