import { type Fields, isObject, type JsonObject, present } from '../fields.ts'
import type { Found } from '../found.ts'
import { type Tool, unknownRecord } from './tool.ts'

/** Attributes whose objects and lists are values, not names that were split at their dots. */
const whole: ReadonlySet<string> = new Set([
  'metadata',
  'input.value',
  'output.value',
  'tag.tags',
  'llm.invocation_parameters',
  'llm.function_call',
  'llm.prompt_template.variables',
])

/** Phoenix nests the names of attributes in objects and lists. OpenInference separates them with dots. */
function flatten(name: string, value: unknown, into: JsonObject): void {
  if (value === undefined || value === null) return
  const isList = Array.isArray(value) && value.some(isObject)
  if (whole.has(name) || !(isList || isObject(value))) {
    into[name] = value
    return
  }
  for (const [key, one] of Object.entries(value)) flatten(name === '' ? key : `${name}.${key}`, one, into)
}

const column = 'attributes.'

/** The attributes of a span: an object, or columns of a data frame. */
function attributesOf(fields: Fields): JsonObject {
  const attributes: JsonObject = {}
  flatten('', fields.object('attributes') ?? {}, attributes)
  for (const [name, value] of fields.entries) {
    if (name.startsWith(column)) flatten(name.slice(column.length), value, attributes)
  }
  const kind = fields.text('span_kind')
  return { ...(kind && kind !== 'UNKNOWN' && { 'openinference.span.kind': kind }), ...attributes }
}

function readAnnotation(fields: Fields, of: { traceId: string; spanId: string | undefined }, found: Found) {
  const result = fields.inside('result')
  const label = result?.text('label') ?? fields.text('result.label', 'label')
  const explanation = result?.text('explanation') ?? fields.text('result.explanation', 'explanation')
  found.score({
    ...of,
    id: fields.id('id'),
    name: fields.text('annotation_name', 'name'),
    value: result?.number('score') ?? fields.number('result.score', 'score'),
    comment: [label, explanation].filter(Boolean).join(': ') || undefined,
    createdMs: fields.time('created_at', 'updated_at'),
  })
}

function readAnnotations(fields: Fields, of: { traceId: string; spanId: string | undefined }, found: Found) {
  for (const annotation of fields.items('annotations')) readAnnotation(annotation, of, found)
  found.leftOut.add('notes: a trace has none', fields.list('notes').length)
}

function readSpan(fields: Fields, found: Found): void {
  const context = fields.inside('context') ?? fields
  const names = context === fields ? ['context.trace_id', 'trace_id'] : ['trace_id']
  const traceId = context.requiredId(...names)
  const spanId = context.requiredId(...names.map((name) => name.replace('trace_id', 'span_id')))
  const isFailed = fields.text('status_code') === 'ERROR'
  found.span({
    traceId,
    spanId,
    parentId: fields.id('parent_id'),
    name: fields.text('name'),
    startMs: fields.requiredTime('start_time'),
    endMs: fields.time('end_time'),
    error: isFailed ? (fields.text('status_message') ?? '') : undefined,
    attributes: attributesOf(fields),
    events: fields.items('events').map((event) => ({
      name: event.text('name') ?? 'event',
      timeMs: event.requiredTime('timestamp'),
      attributes: present(event.object('attributes') ?? {}) as never,
    })),
  })
  readAnnotations(fields, { traceId, spanId }, found)
}

function read(fields: Fields, found: Found): void {
  if (fields.has('spans')) {
    for (const span of fields.items('spans')) readSpan(span, found)
    const traceId = fields.id('trace_id')
    if (traceId !== undefined) readAnnotations(fields, { traceId, spanId: undefined }, found)
  } else if (fields.has('data')) {
    for (const item of fields.items('data')) read(item, found)
  } else if (fields.has('start_time')) readSpan(fields, found)
  else if (fields.has('annotator_kind')) {
    const traceId = fields.id('trace_id')
    if (traceId !== undefined) readAnnotation(fields, { traceId, spanId: fields.id('span_id') }, found)
    else found.leftOut.add('annotations without a trace_id: export spans together with their annotations')
  } else unknownRecord(fields, 'span, trace or annotation of Phoenix')
}

export const phoenix: Tool = { read }
