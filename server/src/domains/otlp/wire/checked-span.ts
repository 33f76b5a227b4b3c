import type { OtlpSpan, SpanEvent } from '../span.ts'

/** A span of a request before its ids and times are checked; ids in hex, empty if missing. */
export interface DecodedSpan extends Omit<OtlpSpan, 'parentId' | 'endMs' | 'status' | 'events'> {
  parentId: string
  endMs: number
  status: { code: number; message: string }
  events: SpanEvent[]
}

const statusCodes = ['unset', 'ok', 'error'] as const

/** The latest time of a JavaScript date. */
const latestMs = 8.64e15

/** An id in lower-case hex that is not only zeros. */
export function isTraceId(id: string): boolean {
  return /^[0-9a-f]{32}$/.test(id) && /[^0]/.test(id)
}

export function isSpanId(id: string): boolean {
  return /^[0-9a-f]{16}$/.test(id) && /[^0]/.test(id)
}

/** The span, or the reason why it is rejected. */
export function checkSpan({ parentId, status, ...span }: DecodedSpan): OtlpSpan | string {
  if (!isTraceId(span.traceId)) return 'trace_id must have 16 bytes that are not all zero'
  if (!isSpanId(span.spanId)) return 'span_id must have 8 bytes that are not all zero'
  const { startMs, endMs } = span
  if (startMs > latestMs || endMs > latestMs) return 'start_time and end_time must be times'
  return {
    ...span,
    ...(isSpanId(parentId) && { parentId }),
    // Clocks of several machines differ, and some libraries send spans that have not ended.
    endMs: Math.max(startMs, endMs),
    status: {
      code: statusCodes[status.code] ?? 'unset',
      ...(status.message !== '' && { message: status.message }),
    },
  }
}
