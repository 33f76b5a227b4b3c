/** A value of an OTLP attribute. Integers beyond 2^53 are strings; bytes are base64. */
export type AttributeValue =
  | string
  | number
  | boolean
  | null
  | AttributeValue[]
  | { [key: string]: AttributeValue }
export type Attributes = { [key: string]: AttributeValue }
export interface SpanEvent {
  name: string
  timeMs: number
  attributes: Attributes
}
/** A span as received: ids in lower-case hex, times in milliseconds since the epoch with fractions. */
export interface OtlpSpan {
  traceId: string
  spanId: string
  parentId?: string
  name: string
  /** OTLP's number of the span kind: 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number
  startMs: number
  endMs: number
  attributes: Attributes
  events: SpanEvent[]
  status: { code: 'unset' | 'ok' | 'error'; message?: string }
  resource: Attributes
  scope: { name: string; version?: string }
}
