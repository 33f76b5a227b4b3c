import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Api, Tenant } from './api.ts'

export const newTraceId = () => randomBytes(16).toString('hex')
export const newSpanId = () => randomBytes(8).toString('hex')

type Value = string | number | boolean | readonly string[]

export interface SentSpan {
  traceId: string
  spanId: string
  parentId?: string
  name?: string
  startMs?: number
  endMs?: number
  /** OTLP's number: 2 is an error. */
  status?: number
  attributes?: Record<string, Value>
}

function toAnyValue(value: Value): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'object') return { arrayValue: { values: value.map(toAnyValue) } }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

function toAttributes(attributes: Record<string, Value>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toAnyValue(value) }))
}

function toNanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n)
}

/** The start of spans that name no time. */
export const startMs = Date.UTC(2024, 0, 2, 3, 4, 5)

/** A request of OTLP in JSON. */
export function tracesBody(spans: readonly SentSpan[], resource: Record<string, Value> = {}): object {
  const sent = spans.map(
    ({ traceId, spanId, parentId, name = 'step', startMs: from = startMs, endMs, status, attributes }) => ({
      traceId,
      spanId,
      ...(parentId !== undefined && { parentSpanId: parentId }),
      name,
      kind: 1,
      startTimeUnixNano: toNanoseconds(from),
      endTimeUnixNano: toNanoseconds(endMs ?? from + 100),
      attributes: toAttributes(attributes ?? {}),
      ...(status !== undefined && { status: { code: status } }),
    }),
  )
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: { name: 'tests', version: '1' }, spans: sent }],
      },
    ],
  }
}

/** Waits until a condition holds; the assembly of traces takes up to two seconds. */
export async function until<T>(
  look: () => Promise<T | undefined | false>,
  what: string,
  everyMs = 50,
): Promise<T> {
  const over = performance.now() + 30_000
  while (performance.now() < over) {
    const found = await look()
    if (found) return found
    await pause(everyMs)
  }
  throw new Error(`waited too long: ${what}`)
}

/** The trace as soon as it has so many spans. */
export function traceOf(
  tenant: Tenant,
  traceId: string,
  spans = 1,
  api: Api = tenant.project,
): Promise<Answer['body']> {
  return until(async () => {
    const { status, body } = await api.get(`/v1/${tenant.projectId}/analytics/traces/${traceId}`)
    return status === 200 && body.spans.length === spans && body
  }, `trace ${traceId} with ${spans} spans`)
}
