import type { CreateTrace } from '@cairn/contract'
import { toIso } from '../../../lib/time.ts'
import type { OtlpSpan } from '../span.ts'

/** The trace that these spans make; there is at least one span. */
export function toTrace(spans: readonly OtlpSpan[]): CreateTrace {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const byStart = spans.toSorted((a, b) => a.startMs - b.startMs || (a.spanId < b.spanId ? -1 : 1))
  const root = byStart.find(({ parentId }) => parentId === undefined || !ids.has(parentId)) ?? byStart[0]
  const startMs = byStart[0]?.startMs ?? 0
  const endMs = spans.reduce((latest, span) => Math.max(latest, span.endMs), startMs)
  const isWhole = root?.parentId === undefined
  return {
    input: '',
    output: '',
    latency_ms: root && isWhole ? root.endMs - root.startMs : endMs - startMs,
    status: root?.status.code === 'error' ? 'error' : 'success',
    created_at: toIso(Math.floor(root && isWhole ? root.startMs : startMs)),
    spans: byStart.map(({ name, startMs: start_ms, endMs: end_ms, spanId, parentId, attributes }) => ({
      name,
      start_ms,
      end_ms,
      attributes,
      span_id: spanId,
      ...(parentId !== undefined && { parent_id: parentId }),
    })),
  }
}
