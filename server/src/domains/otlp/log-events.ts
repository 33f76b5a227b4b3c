import type { Rejections } from './rejections.ts'
import type { Attributes, SpanEvent } from './span.ts'
import { type DecodedLog, isSpanId, isTraceId } from './wire/index.ts'

/** An event of a span that arrived as a log record. */
export interface EventOfSpan {
  traceId: string
  spanId: string
  event: SpanEvent
}

/** The name of the event: a field, or an attribute of older libraries. */
function nameOf({ name, attributes }: DecodedLog): string {
  const { 'event.name': older } = attributes
  return name === '' && typeof older === 'string' ? older : name
}

/** Events with a body have their fields there; events without one have attributes. */
function attributesOf({ body, attributes }: DecodedLog): Attributes {
  if (body === null) return attributes
  if (typeof body === 'object' && !Array.isArray(body)) return { ...attributes, ...body }
  return { ...attributes, body }
}

/** The events of generative AI that name a span, such as messages and evaluations. Other records are rejected. */
export function toEvents(logs: readonly DecodedLog[], rejections: Rejections): EventOfSpan[] {
  return logs.flatMap((log) => {
    const { traceId, spanId, timeMs } = log
    const name = nameOf(log)
    if (!name.startsWith('gen_ai.')) {
      rejections.add('logs are not stored, except events whose name begins with gen_ai.')
      return []
    }
    if (!isTraceId(traceId) || !isSpanId(spanId)) {
      rejections.add('the trace_id and span_id of an event must name its span')
      return []
    }
    return [{ traceId, spanId, event: { name, timeMs, attributes: attributesOf(log) } }]
  })
}
