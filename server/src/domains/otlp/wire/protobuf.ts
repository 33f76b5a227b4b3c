import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf'
import { setField } from '../../../lib/json/parse.ts'
import { createPacer } from '../../../lib/turns.ts'
import type { Attributes, AttributeValue } from '../span.ts'
import type { DecodedSpan } from './checked-span.ts'
import { type DecodedLog, type Entry, entryOf } from './decoded.ts'
import type { AnyValue, KeyValue } from './proto/common_pb.ts'
import {
  LogRecordSchema,
  LogsEnvelopeSchema,
  ResourceLogsEnvelopeSchema,
  ScopeLogsEnvelopeSchema,
} from './proto/logs_pb.ts'
import {
  MetricSchema,
  MetricsEnvelopeSchema,
  ResourceMetricsEnvelopeSchema,
  ScopeMetricsEnvelopeSchema,
} from './proto/metrics_pb.ts'
import {
  ResourceSpansEnvelopeSchema,
  ScopeSpansEnvelopeSchema,
  SpanSchema,
  TracesEnvelopeSchema,
} from './proto/traces_pb.ts'
import {
  fromDouble,
  fromInteger,
  fromNanoseconds,
  MalformedOtlpError,
  maxMessageDepth,
  TooManyValuesError,
  ValueCount,
} from './read-value.ts'
import { scanLarge } from './scan.ts'

/** Unknown fields are skipped. */
async function decode<D extends DescMessage>(desc: D, bytes: Uint8Array): Promise<MessageShape<D>> {
  try {
    await scanLarge(desc, bytes)
    return fromBinary(desc, bytes, { readUnknownFields: false, recursionLimit: maxMessageDepth })
  } catch (error) {
    if (error instanceof TooManyValuesError) throw error
    throw new MalformedOtlpError('the body is not a request of OTLP in protobuf', { cause: error })
  }
}

/** The spans of a request. */
export async function* spansOfProtobuf(body: Uint8Array): AsyncGenerator<Entry<DecodedSpan>> {
  const pace = createPacer()
  for (const resourceBytes of (await decode(TracesEnvelopeSchema, body)).resourceSpans) {
    const { resource, scopeSpans } = await decode(ResourceSpansEnvelopeSchema, resourceBytes)
    const resourceAttributes = toAttributes(resource?.attributes)
    for (const scopeBytes of scopeSpans) {
      const { scope, spans } = await decode(ScopeSpansEnvelopeSchema, scopeBytes)
      const named = { name: scope?.name ?? '', ...(scope?.version && { version: scope.version }) }
      for (const bytes of spans) {
        yield await entryOf(async () => ({
          ...toSpan(await decode(SpanSchema, bytes)),
          resource: resourceAttributes,
          scope: named,
        }))
        await pace()
      }
    }
  }
}

/** The log records of a request. */
export async function* logsOfProtobuf(body: Uint8Array): AsyncGenerator<Entry<DecodedLog>> {
  const pace = createPacer()
  for (const resourceBytes of (await decode(LogsEnvelopeSchema, body)).resourceLogs) {
    for (const scopeBytes of (await decode(ResourceLogsEnvelopeSchema, resourceBytes)).scopeLogs) {
      for (const bytes of (await decode(ScopeLogsEnvelopeSchema, scopeBytes)).logRecords) {
        yield await entryOf(async () => toLog(await decode(LogRecordSchema, bytes)))
        await pace()
      }
    }
  }
}

/** The number of data points of a request. */
export async function countPointsOfProtobuf(body: Uint8Array): Promise<number> {
  const pace = createPacer()
  let points = 0
  for (const resourceBytes of (await decode(MetricsEnvelopeSchema, body)).resourceMetrics) {
    for (const scopeBytes of (await decode(ResourceMetricsEnvelopeSchema, resourceBytes)).scopeMetrics) {
      for (const bytes of (await decode(ScopeMetricsEnvelopeSchema, scopeBytes)).metrics) {
        const { gauge, sum, histogram, exponentialHistogram, summary } = await decode(MetricSchema, bytes)
        for (const kind of [gauge, sum, histogram, exponentialHistogram, summary]) {
          points += kind?.dataPoints.length ?? 0
        }
        await pace()
      }
    }
  }
  return points
}

function toSpan(span: MessageShape<typeof SpanSchema>): Omit<DecodedSpan, 'resource' | 'scope'> {
  const count = new ValueCount()
  return {
    traceId: toHex(span.traceId),
    spanId: toHex(span.spanId),
    parentId: toHex(span.parentSpanId),
    name: span.name,
    kind: span.kind,
    startMs: fromNanoseconds(span.startTimeUnixNano),
    endMs: fromNanoseconds(span.endTimeUnixNano),
    attributes: toAttributes(span.attributes, count),
    events: span.events.map(({ name, timeUnixNano, attributes }) => ({
      name,
      timeMs: fromNanoseconds(timeUnixNano),
      attributes: toAttributes(attributes, count),
    })),
    status: { code: span.status?.code ?? 0, message: span.status?.message ?? '' },
  }
}

function toLog(log: MessageShape<typeof LogRecordSchema>): DecodedLog {
  const count = new ValueCount()
  return {
    traceId: toHex(log.traceId),
    spanId: toHex(log.spanId),
    name: log.eventName,
    timeMs: fromNanoseconds(log.timeUnixNano || log.observedTimeUnixNano),
    body: toValue(log.body, count, 1),
    attributes: toAttributes(log.attributes, count),
  }
}

function toHex(id: Uint8Array): string {
  return Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('hex')
}

function toAttributes(list: readonly KeyValue[] = [], count = new ValueCount(), depth = 1): Attributes {
  const attributes: Attributes = {}
  for (const { key, value } of list) setField(attributes, key, toValue(value, count, depth))
  return attributes
}

function toValue(any: AnyValue | undefined, count: ValueCount, depth: number): AttributeValue {
  count.add(depth)
  const { case: kind, value } = any?.value ?? { case: undefined }
  switch (kind) {
    case undefined:
      return null
    case 'stringValue':
    case 'boolValue':
      return value
    case 'intValue':
      return fromInteger(value)
    case 'doubleValue':
      return fromDouble(value)
    case 'bytesValue':
      return Buffer.from(value).toString('base64')
    case 'arrayValue':
      return value.values.map((each) => toValue(each, count, depth + 1))
    case 'kvlistValue':
      return toAttributes(value.values, count, depth + 1)
  }
}
