import type { CreateTrace, SpanInput } from '@cairn/contract'
import type { GivenTrace } from '../src/domains/otlp/given.ts'
import { toTraceInSteps } from '../src/domains/otlp/mapping/index.ts'
import type { Attributes, OtlpSpan } from '../src/domains/otlp/span.ts'
import { recordedTraces } from './otlp-fixtures.ts'

export function toTrace(spans: readonly OtlpSpan[], given?: GivenTrace): CreateTrace {
  const steps = toTraceInSteps(spans, given)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

export function otlpSpan(fields: Partial<OtlpSpan> = {}): OtlpSpan {
  return {
    traceId: 't',
    spanId: 'a',
    name: 'span',
    kind: 1,
    startMs: 1_000_000,
    endMs: 1_000_100,
    attributes: {},
    events: [],
    status: { code: 'unset' },
    resource: {},
    scope: { name: '' },
    ...fields,
  }
}

/** A child of the root `a`. */
export const child = (spanId: string, attributes: Attributes, fields: Partial<OtlpSpan> = {}) =>
  otlpSpan({ spanId, parentId: 'a', attributes, ...fields })

export const spansOf = (trace: CreateTrace): SpanInput[] => trace.spans ?? []

/** The one span of a trace of one span with these attributes. */
export function mapped(attributes: Attributes, fields: Partial<OtlpSpan> = {}): SpanInput {
  const [span] = spansOf(toTrace([otlpSpan({ attributes, ...fields })]))
  if (!span) throw new Error('there is no span')
  return span
}

export const named = (trace: CreateTrace, name: string): SpanInput[] =>
  spansOf(trace).filter((span) => span.name === name)

/** The recorded trace whose root has this name. */
export function recorded(file: string, name: string): CreateTrace {
  const trace = recordedTraces(file)
    .map((spans) => toTrace(spans))
    .find((each) => each.name === name)
  if (!trace) throw new Error(`${file} has no trace ${name}`)
  return trace
}

export const user = (content: string) => ({ role: 'user', content })
export const system = (content: string) => ({ role: 'system', content })
export const assistant = (content: string) => ({ role: 'assistant', content })
export const weatherCall = {
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Paris"}' },
}
export const answer = 'Paris is the capital of France.'
export const usage = { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 }
export const twice = { prompt_tokens: 42, completion_tokens: 18, total_tokens: 60 }
export const cached = { cache_read_tokens: 8 }
export const reasoned = { reasoning_tokens: 3 }
