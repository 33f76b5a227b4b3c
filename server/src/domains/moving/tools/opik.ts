import { CairnError } from '@cairn/contract'
import { type Fields, isObject, numbersIn } from '../fields.ts'
import type { Found } from '../found.ts'
import { type Tool, unknownRecord } from './tool.ts'
import { unwrapped } from './wrapped.ts'

const kinds: Readonly<Record<string, string>> = {
  llm: 'LLM',
  tool: 'TOOL',
  general: 'CHAIN',
  guardrail: 'GUARDRAIL',
}

/** Tokens of a span. Details of the provider have names such as `original_usage.prompt_tokens_details.cached_tokens`. */
function usageOf(fields: Fields) {
  const usage = numbersIn(fields.object('usage')) ?? {}
  const detail = (pattern: RegExp) => Object.entries(usage).find(([name]) => pattern.test(name))?.[1]
  return {
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
    total_tokens: usage.total_tokens,
    cached: detail(/cached_tokens$|cache_read_input_tokens$|cached_content_token_count$/),
    written: detail(/cache_creation_input_tokens$/),
    reasoning: detail(/reasoning_tokens$|thoughts_token_count$/),
  }
}

function errorOf(fields: Fields): string | undefined {
  const error = fields.inside('error_info')
  if (!error) return undefined
  return [error.text('exception_type'), error.text('message')].filter(Boolean).join(': ')
}

function readScores(fields: Fields, of: { traceId: string; spanId: string | undefined }, found: Found): void {
  for (const score of fields.items('feedback_scores')) {
    const [category, reason] = [score.text('category_name'), score.text('reason')]
    found.score({
      ...of,
      id: undefined,
      name: score.text('name'),
      value: score.number('value'),
      comment: [category, reason].filter(Boolean).join(': ') || undefined,
      createdMs: score.time('created_at', 'last_updated_at') ?? fields.time('start_time'),
    })
  }
  found.leftOut.add('comments: a trace has none', fields.list('comments').length)
}

function readSpan(fields: Fields, found: Found): void {
  const [traceId, spanId] = [fields.requiredId('trace_id'), fields.requiredId('id')]
  const usage = usageOf(fields)
  const startMs = fields.requiredTime('start_time')
  const error = fields.inside('error_info')
  const stack = error?.text('traceback')
  found.span({
    traceId,
    spanId,
    parentId: fields.id('parent_span_id'),
    name: fields.text('name'),
    startMs,
    endMs: fields.time('end_time'),
    error: errorOf(fields),
    events: error
      ? [
          {
            name: 'exception',
            timeMs: fields.time('end_time') ?? startMs,
            attributes: {
              'exception.type': error.text('exception_type') ?? '',
              'exception.message': error.text('message') ?? '',
              ...(stack !== undefined && { 'exception.stacktrace': stack }),
            },
          },
        ]
      : [],
    attributes: {
      'openinference.span.kind': kinds[fields.text('type') ?? ''],
      'input.value': unwrapped(fields.get('input'), 'input'),
      'output.value': unwrapped(fields.get('output'), 'output'),
      'gen_ai.request.model': fields.text('model'),
      'gen_ai.provider.name': fields.text('provider'),
      'gen_ai.usage.input_tokens': usage.prompt_tokens,
      'gen_ai.usage.output_tokens': usage.completion_tokens,
      'gen_ai.usage.total_tokens': usage.total_tokens,
      'gen_ai.usage.cache_read.input_tokens': usage.cached,
      'gen_ai.usage.cache_creation.input_tokens': usage.written,
      'gen_ai.usage.reasoning.output_tokens': usage.reasoning,
      'gen_ai.usage.cost': fields.amount('total_estimated_cost') || undefined,
      'opik.metadata': fields.get('metadata'),
      'opik.tags': fields.texts('tags'),
      'opik.time_to_first_token_ms': fields.amount('ttft'),
      'deployment.environment.name': fields.text('environment'),
    },
  })
  readScores(fields, { traceId, spanId }, found)
}

function readTrace(fields: Fields, found: Found): void {
  const traceId = fields.requiredId('id')
  const metadata = fields.get('metadata')
  const [startMs, endMs] = [fields.requiredTime('start_time'), fields.time('end_time')]
  const { prompt_tokens, completion_tokens, total_tokens } = usageOf(fields)
  found.trace(traceId, {
    name: fields.text('name'),
    input: unwrapped(fields.get('input'), 'input'),
    output: unwrapped(fields.get('output'), 'output'),
    startMs,
    latencyMs: endMs === undefined ? undefined : Math.max(0, endMs - startMs),
    error: errorOf(fields),
    sessionId: fields.text('thread_id'),
    tags: fields.texts('tags'),
    metadata: metadata === undefined || isObject(metadata) ? metadata : { metadata },
    environment: fields.text('environment'),
    tokenUsage: numbersIn({ prompt_tokens, completion_tokens, total_tokens }),
    cost: fields.amount('total_estimated_cost') || undefined,
  })
  readScores(fields, { traceId, spanId: undefined }, found)
}

function read(fields: Fields, found: Found): void {
  const trace = fields.inside('trace')
  if (trace) {
    readTrace(trace, found)
    for (const span of fields.items('spans')) readSpan(span, found)
    found.leftOut.add('attachments: a trace has none', fields.list('attachments').length)
  } else if (fields.has('content') || fields.has('data')) {
    for (const item of [...fields.items('content'), ...fields.items('data')]) read(item, found)
  } else if (fields.has('items')) {
    throw new CairnError('invalid_request', 'it is a dataset: import it with cairn import-cases')
  } else if (fields.names.some((name) => name.startsWith('trace_') && fields.has(`span_${name.slice(6)}`))) {
    throw new CairnError('invalid_request', 'it is a row of opik export --format csv: export JSON instead')
  } else if (fields.has('start_time')) {
    if (fields.has('trace_id')) readSpan(fields, found)
    else readTrace(fields, found)
  } else unknownRecord(fields, 'trace or span of Opik')
}

export const opik: Tool = { read }
