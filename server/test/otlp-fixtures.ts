import { readFileSync } from 'node:fs'
import type { Attributes, AttributeValue, OtlpSpan } from '../src/domains/otlp/span.ts'

/** A value of OTLP/JSON, such as `{ stringValue: 'x' }`. */
type JsonValue = { [kind: string]: unknown }
interface JsonAttribute {
  key: string
  value: JsonValue
}
interface JsonEvent {
  name: string
  timeUnixNano: string
  attributes?: JsonAttribute[]
}
interface JsonSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: JsonAttribute[]
  events?: JsonEvent[]
  status: { code?: number; message?: string }
}
interface JsonBody {
  resourceSpans: {
    resource: { attributes: JsonAttribute[] }
    scopeSpans: { scope: { name: string; version?: string }; spans: JsonSpan[] }[]
  }[]
}

function toValue(value: JsonValue): AttributeValue {
  const { arrayValue, kvlistValue, ...plain } = value
  if (arrayValue) return ((arrayValue as { values?: JsonValue[] }).values ?? []).map(toValue)
  if (kvlistValue) return attributesOf((kvlistValue as { values?: JsonAttribute[] }).values)
  return (Object.values(plain)[0] ?? null) as AttributeValue
}

function attributesOf(list: readonly JsonAttribute[] = []): Attributes {
  return Object.fromEntries(list.map(({ key, value }) => [key, toValue(value)]))
}

const msOf = (nanoseconds: string) => Number(nanoseconds) / 1e6

/** The traces of a recorded OTLP/JSON body, in the order of their first spans. */
export function recordedTraces(name: string): OtlpSpan[][] {
  const file = new URL(`../../e2e/http/fixtures/otlp/${name}.json`, import.meta.url)
  const { resourceSpans } = JSON.parse(readFileSync(file, 'utf8')) as JsonBody
  const spans = resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans: some }) =>
      some.map((span): OtlpSpan => {
        const code = (['unset', 'ok', 'error'] as const)[span.status.code ?? 0] ?? 'unset'
        return {
          traceId: span.traceId,
          spanId: span.spanId,
          ...(span.parentSpanId ? { parentId: span.parentSpanId } : {}),
          name: span.name,
          kind: span.kind,
          startMs: msOf(span.startTimeUnixNano),
          endMs: msOf(span.endTimeUnixNano),
          attributes: attributesOf(span.attributes),
          events: (span.events ?? []).map((event) => ({
            name: event.name,
            timeMs: msOf(event.timeUnixNano),
            attributes: attributesOf(event.attributes),
          })),
          status: { code, ...(span.status.message ? { message: span.status.message } : {}) },
          resource: attributesOf(resource.attributes),
          scope,
        }
      }),
    ),
  )
  return [...Map.groupBy(spans, ({ traceId }) => traceId).values()]
}
