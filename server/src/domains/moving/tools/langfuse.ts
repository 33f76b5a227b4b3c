import { CairnError } from '@cairn/contract'
import { type Fields, numbersIn } from '../fields.ts'
import type { Found } from '../found.ts'
import { type Tool, unknownRecord } from './tool.ts'

/** Attributes for each key of an object. */
function below(prefix: string, object: object | undefined): { [name: string]: unknown } {
  return Object.fromEntries(Object.entries(object ?? {}).map(([key, value]) => [`${prefix}.${key}`, value]))
}

/** Metadata is an object; a client may have sent another value. */
function metadataOf(fields: Fields): { [key: string]: unknown } | undefined {
  const value = fields.get('metadata')
  if (value === undefined) return undefined
  const isMap = typeof value === 'object' && !Array.isArray(value)
  const metadata = isMap ? { ...value } : { metadata: value }
  return Object.keys(metadata).length > 0 ? metadata : undefined
}

function usageOf(fields: Fields): { [key: string]: number } | undefined {
  const details = numbersIn(fields.object('usage_details')) ?? numbersIn(fields.object('usage'))
  const [input, output, total] = [
    fields.amount('prompt_tokens', 'input_tokens', 'input_usage'),
    fields.amount('completion_tokens', 'output_tokens', 'output_usage'),
    fields.amount('total_tokens', 'total_usage'),
  ]
  return details ?? numbersIn({ input, output, total })
}

function costOf(fields: Fields): { [key: string]: number } | undefined {
  const total = fields.amount('total_cost', 'calculated_total_cost')
  return numbersIn(fields.object('cost_details')) ?? (total ? { total } : undefined)
}

/** An empty usage or cost of a span is unknown, not zero. */
function orNone(counts: { [key: string]: number } | undefined) {
  return counts && Object.values(counts).some((count) => count > 0) ? counts : undefined
}

function readObservation(fields: Fields, found: Found): void {
  const traceId = fields.requiredId('trace_id')
  const parentId = fields.id('parent_observation_id')
  const level = fields.text('level')
  found.leftOut.add('comments: a trace has none', fields.list('comments').length)
  found.span({
    traceId,
    spanId: fields.requiredId('id'),
    parentId,
    name: fields.text('name') ?? fields.text('type')?.toLowerCase(),
    startMs: fields.requiredTime('start_time'),
    endMs: fields.time('end_time'),
    error: level === 'ERROR' ? (fields.text('status_message') ?? '') : undefined,
    attributes: {
      'langfuse.observation.type': fields.text('type')?.toLowerCase(),
      'langfuse.observation.input': fields.get('input'),
      'langfuse.observation.output': fields.get('output'),
      'langfuse.observation.model.name': fields.text('provided_model_name', 'model'),
      'langfuse.observation.model.parameters': fields.get('model_parameters'),
      'langfuse.observation.usage_details': orNone(usageOf(fields)),
      'langfuse.observation.cost_details': orNone(costOf(fields)),
      'langfuse.observation.level': level === 'DEFAULT' ? undefined : level,
      'langfuse.observation.status_message': level === 'ERROR' ? undefined : fields.text('status_message'),
      'langfuse.observation.completion_start_time': fields.text('completion_start_time'),
      'langfuse.observation.prompt.name': fields.text('prompt_name'),
      'langfuse.observation.prompt.version': fields.number('prompt_version'),
      'langfuse.version': fields.text('version'),
      'langfuse.release': fields.text('release'),
      'langfuse.environment': fields.text('environment'),
      ...below('langfuse.observation.metadata', metadataOf(fields)),
    },
  })
  // Enriched observations repeat the fields of their trace.
  if (parentId !== undefined) return
  const ofTrace = {
    name: fields.text('trace_name'),
    userId: fields.text('user_id'),
    sessionId: fields.text('session_id'),
    tags: fields.texts('tags', 'trace_tags'),
  }
  if (Object.values(ofTrace).some((value) => value !== undefined)) found.trace(traceId, ofTrace)
}

function readTrace(fields: Fields, found: Found): void {
  const traceId = fields.requiredId('id')
  const seconds = fields.amount('latency')
  found.leftOut.add('comments: a trace has none', fields.list('comments').length)
  found.trace(traceId, {
    name: fields.text('name'),
    input: fields.get('input'),
    output: fields.get('output'),
    startMs: fields.requiredTime('timestamp'),
    latencyMs: seconds === undefined ? undefined : seconds * 1000,
    userId: fields.text('user_id'),
    sessionId: fields.text('session_id'),
    tags: fields.texts('tags'),
    metadata: metadataOf(fields),
    version: fields.text('version', 'release'),
    environment: fields.text('environment'),
    tokenUsage: tokensOf(orNone(usageOf(fields))),
    cost: fields.amount('total_cost') || undefined,
  })
}

function tokensOf(usage: { [key: string]: number } | undefined) {
  if (!usage) return undefined
  const { input, output, total, promptTokens, completionTokens, totalTokens } = usage
  return numbersIn({
    prompt_tokens: promptTokens ?? input,
    completion_tokens: completionTokens ?? output,
    total_tokens: totalTokens ?? total,
  })
}

function readScore(fields: Fields, found: Found): void {
  const traceId = fields.id('trace_id')
  const type = fields.text('data_type') ?? 'NUMERIC'
  const name = fields.text('name')
  if (traceId === undefined) {
    found.leftOut.add('scores of sessions and dataset runs: a score belongs to a trace or a span')
  } else if (type !== 'NUMERIC' && type !== 'BOOLEAN') {
    found.leftOut.add(`scores ${name}: ${type.toLowerCase()}, and a score is a number`)
  } else {
    found.score({
      traceId,
      spanId: fields.id('observation_id'),
      id: fields.id('id'),
      name,
      value: fields.number('value'),
      comment: fields.text('comment'),
      createdMs: fields.time('timestamp', 'created_at'),
    })
  }
}

function readNested(fields: Fields, found: Found): void {
  for (const observation of fields.items('observations')) read(observation, found)
  // The API lists the ids of scores and observations where it does not include them.
  for (const score of fields.items('scores')) readScore(score, found)
}

function read(fields: Fields, found: Found): void {
  const trace = fields.has('timestamp') ? undefined : fields.inside('trace')
  if (trace) {
    readTrace(trace, found)
    readNested(fields, found)
  } else if (fields.has('data') || fields.has('traces')) {
    for (const item of [...fields.items('data'), ...fields.items('traces')]) read(item, found)
  } else if (fields.has('expected_output') || fields.has('dataset_id')) {
    throw new CairnError('invalid_request', 'it is an item of a dataset: import it with cairn import-cases')
  } else if (fields.has('start_time')) readObservation(fields, found)
  else if (
    fields.has('string_value') ||
    fields.has('data_type') ||
    (fields.has('value') && fields.has('name'))
  )
    readScore(fields, found)
  else if (fields.has('timestamp') && fields.has('id')) {
    readTrace(fields, found)
    readNested(fields, found)
  } else if (fields.has('count_traces')) {
    found.leftOut.add('rows of the table Sessions: sessions consist of their traces')
  } else unknownRecord(fields, 'trace, observation or score of Langfuse')
}

export const langfuse: Tool = { read }
