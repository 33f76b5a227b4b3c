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
/** A span as received: ids in lower-case hex, or as in another tool's export; times in milliseconds since the epoch. */
export interface OtlpSpan {
  traceId: string
  spanId: string
  parentId?: string
  name: string
  /** OTLP's number of the span kind: 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number
  startMs: number
  /** Null if it is unknown, as in exports of spans that have not ended. */
  endMs: number | null
  attributes: Attributes
  events: SpanEvent[]
  status: { code: 'unset' | 'ok' | 'error'; message?: string }
  resource: Attributes
  scope: { name: string; version?: string }
}

const importScope = 'cairn-import'

/** The scope of spans that an import has read from another tool's export. */
export function scopeOfImport(tool: string): OtlpSpan['scope'] {
  return { name: `${importScope}.${tool}` }
}

export function isImported({ scope }: OtlpSpan): boolean {
  return scope.name.startsWith(`${importScope}.`)
}
