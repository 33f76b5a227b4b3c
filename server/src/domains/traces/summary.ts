import { lastAsked, lastSaid, limits, type TracePreview, type TraceSummary } from '@cairn/contract'
import type { TraceRecord } from './record.ts'

/** A trace as lists show it. */
export function toSummary(record: TraceRecord): TraceSummary {
  const { trace_id, input, output, model, latency_ms, status, tags, token_usage, cost, created_at } = record
  return { trace_id, input, output, model, latency_ms, status, tags, token_usage, cost, created_at }
}

function cut(text: string): string {
  return text.length > limits.previewLength ? text.slice(0, limits.previewLength).toWellFormed() : text
}

/** The same with what is told at a glance; long texts are cut. */
export function toPreview(record: TraceRecord, scores: TracePreview['scores']): TracePreview {
  const { input, output, version, environment, session_id, user_id } = record
  return {
    ...toSummary(record),
    input: cut(lastAsked(input)),
    output: cut(lastSaid(output)),
    version,
    environment,
    session_id,
    user_id,
    scores,
  }
}
