import { lastAsked, lastSaid, limits, type TracePreview, type TraceSummary } from '@cairn/contract'
import type { TraceRecord } from './record.ts'

/** The fields of a trace in a list. */
export function toSummary(record: TraceRecord): TraceSummary {
  const { trace_id, name, input, output, model, latency_ms, status, tags, token_usage, cost, created_at } =
    record
  const named = name === undefined ? {} : { name }
  return { trace_id, ...named, input, output, model, latency_ms, status, tags, token_usage, cost, created_at }
}

function cut(text: string): string {
  return text.length > limits.previewLength ? text.slice(0, limits.previewLength).toWellFormed() : text
}

/** The fields of a trace in the list of the dashboard. Input and output are the last message, and long texts are cut. */
export function toPreview(record: TraceRecord, scores: TracePreview['scores']): TracePreview {
  const { input, output, version, environment, session_id, user_id } = record
  return {
    ...toSummary(record),
    ...(record.name !== undefined && { name: cut(record.name) }),
    input: cut(lastAsked(input)),
    output: cut(lastSaid(output)),
    version,
    environment,
    session_id,
    user_id,
    scores,
  }
}
