import { setField } from '../../../lib/json/parse.ts'
import { createPacer } from '../../../lib/turns.ts'
import type { Attributes, AttributeValue } from '../span.ts'
import type { DecodedSpan } from './checked-span.ts'
import { type DecodedLog, type Entry, entryOf } from './decoded.ts'
import { fromDouble, fromInteger, fromNanoseconds, MalformedOtlpError, ValueCount } from './read-value.ts'

type Fields = Record<string, unknown>

function refuse(field: string, expected: string): never {
  throw new MalformedOtlpError(`${field} must be ${expected}`)
}

function toFields(value: unknown, field: string): Fields {
  if (value == null) return {}
  return typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : refuse(field, 'an object')
}

function listOf(value: unknown, field: string): unknown[] {
  if (value == null) return []
  return Array.isArray(value) ? value : refuse(field, 'a list')
}

function textOf(value: unknown, field: string): string {
  if (value == null) return ''
  return typeof value === 'string' ? value : refuse(field, 'a string')
}

/** Ids are in hex, unlike other bytes. */
function idOf(value: unknown, field: string): string {
  return textOf(value, field).toLowerCase()
}

/** 64-bit integers are decimal strings; some libraries send numbers. */
function integerOf(value: unknown, field: string): bigint {
  if (value == null) return 0n
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value)
  return refuse(field, 'an integer')
}

function smallIntegerOf(value: unknown, field: string): number {
  return Number(integerOf(value, field))
}

/** The fields of the whole body. */
function bodyOf(body: unknown): Fields {
  return body === null ? refuse('the request body', 'an object') : toFields(body, 'the request body')
}

/** The spans of a request. */
export async function* spansOfJson(body: unknown): AsyncGenerator<Entry<DecodedSpan>> {
  const pace = createPacer()
  for (const group of listOf(bodyOf(body).resourceSpans, 'resourceSpans')) {
    const { resource, scopeSpans } = toFields(group, 'resourceSpans')
    const attributes = toAttributes(toFields(resource, 'resource').attributes)
    for (const part of listOf(scopeSpans, 'scopeSpans')) {
      const { scope, spans } = toFields(part, 'scopeSpans')
      const { name, version } = toFields(scope, 'scope')
      const named = {
        name: textOf(name, 'scope.name'),
        ...(version != null && version !== '' && { version: textOf(version, 'scope.version') }),
      }
      for (const span of listOf(spans, 'spans')) {
        yield await entryOf(() => ({
          ...toSpan(toFields(span, 'spans')),
          resource: attributes,
          scope: named,
        }))
        await pace()
      }
    }
  }
}

/** The log records of a request. */
export async function* logsOfJson(body: unknown): AsyncGenerator<Entry<DecodedLog>> {
  const pace = createPacer()
  for (const group of listOf(bodyOf(body).resourceLogs, 'resourceLogs')) {
    for (const part of listOf(toFields(group, 'resourceLogs').scopeLogs, 'scopeLogs')) {
      for (const record of listOf(toFields(part, 'scopeLogs').logRecords, 'logRecords')) {
        yield await entryOf(() => toLog(toFields(record, 'logRecords')))
        await pace()
      }
    }
  }
}

/** The number of data points of a request. */
export function countPointsOfJson(body: unknown): number {
  let points = 0
  for (const group of listOf(bodyOf(body).resourceMetrics, 'resourceMetrics')) {
    for (const part of listOf(toFields(group, 'resourceMetrics').scopeMetrics, 'scopeMetrics')) {
      for (const metric of listOf(toFields(part, 'scopeMetrics').metrics, 'metrics')) {
        const fields = toFields(metric, 'metrics')
        textOf(fields.name, 'name')
        for (const kind of ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary']) {
          points += listOf(toFields(fields[kind], kind).dataPoints, 'dataPoints').length
        }
      }
    }
  }
  return points
}

function toSpan(span: Fields): Omit<DecodedSpan, 'resource' | 'scope'> {
  const count = new ValueCount()
  const { code, message } = toFields(span.status, 'status')
  return {
    traceId: idOf(span.traceId, 'traceId'),
    spanId: idOf(span.spanId, 'spanId'),
    parentId: idOf(span.parentSpanId, 'parentSpanId'),
    name: textOf(span.name, 'name'),
    kind: smallIntegerOf(span.kind, 'kind'),
    startMs: fromNanoseconds(integerOf(span.startTimeUnixNano, 'startTimeUnixNano')),
    endMs: fromNanoseconds(integerOf(span.endTimeUnixNano, 'endTimeUnixNano')),
    attributes: toAttributes(span.attributes, count),
    events: listOf(span.events, 'events').map((event) => {
      count.add(1)
      const { name, timeUnixNano, attributes } = toFields(event, 'events')
      return {
        name: textOf(name, 'events.name'),
        timeMs: fromNanoseconds(integerOf(timeUnixNano, 'timeUnixNano')),
        attributes: toAttributes(attributes, count),
      }
    }),
    status: { code: smallIntegerOf(code, 'status.code'), message: textOf(message, 'status.message') },
  }
}

function toLog(log: Fields): DecodedLog {
  const count = new ValueCount()
  const time = integerOf(log.timeUnixNano, 'timeUnixNano')
  return {
    traceId: idOf(log.traceId, 'traceId'),
    spanId: idOf(log.spanId, 'spanId'),
    name: textOf(log.eventName, 'eventName'),
    timeMs: fromNanoseconds(time || integerOf(log.observedTimeUnixNano, 'observedTimeUnixNano')),
    body: toValue(log.body, count, 1, 'body'),
    attributes: toAttributes(log.attributes, count),
  }
}

function toAttributes(list: unknown, count = new ValueCount(), depth = 1): Attributes {
  const attributes: Attributes = {}
  for (const entry of listOf(list, 'attributes')) {
    const { key, value } = toFields(entry, 'attributes')
    setField(attributes, textOf(key, 'attributes.key'), toValue(value, count, depth))
  }
  return attributes
}

function toValue(any: unknown, count: ValueCount, depth: number, field = 'value'): AttributeValue {
  count.add(depth)
  const value = toFields(any, field)
  if (value.stringValue != null) return textOf(value.stringValue, 'stringValue')
  if (value.intValue != null) return fromInteger(integerOf(value.intValue, 'intValue'))
  if (value.boolValue != null) return Boolean(value.boolValue)
  if (value.doubleValue != null) return toDouble(value.doubleValue)
  if (value.bytesValue != null) return textOf(value.bytesValue, 'bytesValue')
  if (value.arrayValue != null) {
    const { values } = toFields(value.arrayValue, 'arrayValue')
    return listOf(values, 'values').map((each) => toValue(each, count, depth + 1, 'values'))
  }
  if (value.kvlistValue != null) {
    return toAttributes(toFields(value.kvlistValue, 'kvlistValue').values, count, depth + 1)
  }
  return null
}

/** JSON of protobuf has "NaN" and "Infinity" as strings, and allows numbers as strings. */
function toDouble(value: unknown): AttributeValue {
  if (typeof value === 'number') return fromDouble(value)
  const text = textOf(value, 'doubleValue')
  const number = Number(text)
  return text.trim() === '' || Number.isNaN(number) ? text : fromDouble(number)
}
