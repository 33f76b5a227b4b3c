import { CairnError } from '@cairn/contract'
import { type Fields, type JsonObject, numbersIn, present } from '../fields.ts'
import type { Found } from '../found.ts'
import { type Tool, unknownRecord } from './tool.ts'
import { unwrapped } from './wrapped.ts'

function tokensOf(fields: Fields) {
  const usage = fields.inside('token_usage') ?? fields
  const [prompt, completion] = [
    numbersIn(fields.object('prompt_token_details')) ?? {},
    numbersIn(fields.object('completion_token_details')) ?? {},
  ]
  return {
    // A run without tokens has zeros.
    'gen_ai.usage.input_tokens': usage.amount('prompt_tokens') || undefined,
    'gen_ai.usage.output_tokens': usage.amount('completion_tokens') || undefined,
    'gen_ai.usage.total_tokens': usage.amount('total_tokens') || undefined,
    'gen_ai.usage.cache_read.input_tokens': prompt.cache_read,
    'gen_ai.usage.cache_creation.input_tokens': prompt.cache_creation,
    'gen_ai.usage.audio.input_tokens': prompt.audio,
    'gen_ai.usage.audio.output_tokens': completion.audio,
    'gen_ai.usage.reasoning.output_tokens': completion.reasoning,
    'gen_ai.usage.cost': (fields.inside('costs') ?? fields).amount('total_cost') || undefined,
  }
}

/** LangChain adds `ls_…` to the metadata of model calls, and the parameters of the call. */
function callOf(metadata: JsonObject, extra: Fields | undefined) {
  const parameters = extra?.object('invocation_params')
  return {
    'gen_ai.request.model': metadata.ls_model_name ?? parameters?.model ?? parameters?.model_name,
    'gen_ai.provider.name': metadata.ls_provider,
    'langsmith.invocation_params': parameters,
  }
}

function below(prefix: string, object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(present(object)).map(([key, value]) => [`${prefix}.${key}`, value]),
  )
}

function readRun(fields: Fields, found: Found): void {
  const spanId = fields.requiredId('run_id', 'id')
  const parentId = fields.id('parent_run_id')
  const traceId = fields.id('trace_id') ?? (parentId === undefined ? spanId : fields.requiredId('trace_id'))
  const extra = fields.inside('extra')
  const metadata = fields.object('custom_metadata') ?? extra?.object('metadata') ?? {}
  const [error, type] = [fields.text('error'), fields.text('run_type')]
  const tags = fields.texts('tags')
  const isRoot = parentId === undefined
  found.span({
    traceId,
    spanId,
    parentId,
    name: fields.text('name'),
    startMs: fields.requiredTime('start_time'),
    endMs: fields.time('end_time'),
    error: error ?? (fields.text('status') === 'error' ? '' : undefined),
    attributes: {
      'langsmith.span.kind': type,
      'input.value': unwrapped(fields.get('inputs'), 'input'),
      'output.value': unwrapped(fields.get('outputs'), 'output'),
      ...(type === 'llm' || type === 'embedding' ? callOf(metadata, extra) : {}),
      ...tokensOf(fields),
      'langsmith.first_token_time': fields.text('first_token_time'),
      'langsmith.reference_example_id': fields.text('reference_example_id'),
      // The trace gets the tags and metadata of its root.
      ...(isRoot
        ? { 'langsmith.span.tags': tags, ...below('langsmith.metadata', metadata) }
        : {
            'langsmith.run.tags': tags,
            'langsmith.run.metadata': Object.keys(metadata).length > 0 ? metadata : undefined,
          }),
    },
    events: fields.items('events').flatMap((event) => {
      const timeMs = event.time('time')
      const kwargs = event.object('kwargs')
      if (timeMs === undefined) return []
      return [{ name: event.text('name') ?? 'event', timeMs, attributes: (kwargs ?? {}) as never }]
    }),
  })
  for (const run of fields.items('child_runs')) readRun(run, found)
  for (const feedback of fields.items('feedback')) readFeedback(feedback, { traceId, runId: spanId }, found)
}

function readFeedback(fields: Fields, of: { traceId?: string; runId?: string }, found: Found): void {
  const runId = fields.id('run_id') ?? of.runId
  const traceId = fields.id('trace_id') ?? of.traceId
  const name = fields.text('key')
  if (traceId === undefined) {
    found.leftOut.add('feedback without a trace_id: a score belongs to a trace')
    return
  }
  const given = fields.get('score')
  const value = typeof given === 'boolean' ? Number(given) : fields.number('score')
  const label = fields.get('value')
  const comment = [typeof label === 'string' ? label : undefined, fields.text('comment')]
  found.score({
    traceId,
    spanId: runId === traceId ? undefined : runId,
    id: fields.id('id'),
    name,
    value,
    comment: comment.filter(Boolean).join(': ') || undefined,
    createdMs: fields.time('created_at', 'modified_at'),
  })
}

function read(fields: Fields, found: Found): void {
  const list = ['runs', 'data', 'items'].find((name) => fields.has(name) && !fields.has('start_time'))
  if (list !== undefined) for (const item of fields.items(list)) read(item, found)
  else if (fields.has('run_type')) readRun(fields, found)
  else if (fields.has('key') && (fields.has('score') || fields.has('value'))) readFeedback(fields, {}, found)
  else if (fields.has('inputs') && (fields.has('outputs') || fields.has('dataset_id'))) {
    throw new CairnError(
      'invalid_request',
      'it is an example of a dataset: import it with cairn import-cases',
    )
  } else unknownRecord(fields, 'run or feedback of LangSmith')
}

export const langsmith: Tool = { read }
