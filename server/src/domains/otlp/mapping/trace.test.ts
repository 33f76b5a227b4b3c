import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assistant, child, otlpSpan, spansOf, system, toTrace, user } from '../../../../test/otlp-spans.ts'
import type { Attributes } from '../span.ts'

describe('the fields of a trace', () => {
  const chat = (spanId: string, attributes: Attributes, startMs: number) =>
    child(spanId, { 'gen_ai.operation.name': 'chat', ...attributes }, { startMs, endMs: startMs + 10 })

  it('come from the root, in any order of the spans', () => {
    const root = otlpSpan({ name: 'root', startMs: 1000.25, endMs: 1500.75 })
    const trace = toTrace([chat('b', {}, 900), root])
    expect(trace).toMatchObject({ name: 'root', latency_ms: 500.5, created_at: '1970-01-01T00:00:01.000Z' })
    expect(spansOf(trace).map(({ span_id }) => span_id)).toEqual(['b', 'a'])
  })

  it('come from the earliest span while the root is missing; the latency is from the first start to the last end', () => {
    const late = child('c', {}, { name: 'late', startMs: 2000, endMs: 9000 })
    const early = child('b', {}, { name: 'early', startMs: 1000, endMs: 1500 })
    expect(toTrace([late, early])).toMatchObject({ name: 'early', latency_ms: 8000 })
  })

  it('input and output fall back to the last question of the first call and the answer of the last one', () => {
    const messages = (...list: object[]) => JSON.stringify(list)
    const trace = toTrace([
      otlpSpan(),
      chat('c', { 'gen_ai.output.messages': messages(assistant('the end')) }, 1_000_050),
      chat(
        'b',
        {
          'gen_ai.input.messages': messages(system('Be short'), user('one'), assistant('two'), user('three')),
          'gen_ai.output.messages': messages(assistant('four')),
        },
        1_000_020,
      ),
    ])
    expect(trace).toMatchObject({ input: 'three', output: 'the end' })
    expect(toTrace([otlpSpan()])).toMatchObject({ input: '', output: '', model: null, token_usage: null })
  })

  it('the model is that of the call with most tokens', () => {
    const call = (spanId: string, model: string, tokens: number) =>
      chat(spanId, { 'gen_ai.request.model': model, 'gen_ai.usage.input_tokens': tokens }, 1_000_000 + tokens)
    const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.usage.input_tokens': 99 }
    const root = otlpSpan({ attributes: { ...agent, 'gen_ai.request.model': 'of the agent' } })
    const trace = toTrace([root, call('b', 'small', 3), call('c', 'large', 7), call('d', 'small', 4)])
    expect(trace).toMatchObject({ model: 'large', token_usage: { prompt_tokens: 14, total_tokens: 14 } })
  })

  it('only an error of the root fails the trace', () => {
    const failed = { status: { code: 'error', message: 'it broke' } } as const
    expect(toTrace([otlpSpan(), child('b', {}, failed)])).toMatchObject({
      status: 'success',
      spans: [{ span_id: 'a' }, { span_id: 'b', status: 'error', error: 'it broke' }],
    })
    expect(toTrace([otlpSpan(failed)])).toMatchObject({ status: 'error', error: 'it broke' })
    const events = [{ name: 'exception', timeMs: 1, attributes: { 'exception.message': 'thrown' } }]
    expect(toTrace([otlpSpan({ status: { code: 'error' }, events })]).error).toBe('thrown')
    const level = { 'langfuse.observation.level': 'ERROR', 'langfuse.observation.status_message': 'late' }
    expect(toTrace([otlpSpan({ attributes: level })])).toMatchObject({ status: 'error', error: 'late' })
  })

  it('version and environment have an order, and are read from the root and its resource', () => {
    const resource = {
      'service.version': '1',
      'deployment.environment': 'old',
      'deployment.environment.name': 'new',
    }
    const of = (attributes: Attributes) => toTrace([otlpSpan({ attributes, resource })])
    expect(of({})).toMatchObject({ version: '1', environment: 'new' })
    expect(of({ 'langfuse.release': '2' })).toMatchObject({ version: '2' })
    expect(of({ 'langfuse.release': '2', 'langfuse.version': '3' })).toMatchObject({ version: '3' })
    expect(of({ 'langfuse.environment': 'live' })).toMatchObject({ environment: 'live' })
    const ofChild = toTrace([otlpSpan(), child('b', { 'langfuse.version': '4' })])
    expect(ofChild.version).toBeNull()
    expect(spansOf(ofChild)[1]?.attributes).toEqual({ 'langfuse.version': '4' })
  })

  it('session, user, tags and metadata are read from the root, else from any span, else from the resource', () => {
    const resource = { 'user.id': 'of the resource' }
    const root = otlpSpan({ attributes: { 'session.id': 'of the root' }, resource })
    const other = child('b', {
      'session.id': 'of the child',
      'tag.tags': ['x', 'y', 'x'],
      metadata: '{"plan":"pro","__proto__":{"a":1}}',
    })
    const trace = toTrace([root, other])
    expect(trace).toMatchObject({ session_id: 'of the root', user_id: 'of the resource', tags: ['x', 'y'] })
    expect(Object.entries(trace.metadata ?? {})).toEqual([
      ['plan', 'pro'],
      ['__proto__', { a: 1 }],
    ])
    expect(spansOf(trace)[0]?.attributes).toEqual({})
    expect(spansOf(trace)[1]?.attributes).toEqual({ 'session.id': 'of the child' })
    const both = {
      metadata: { plan: 'first' },
      'langfuse.trace.metadata.plan': 'second',
      'langfuse.trace.metadata.x': 1,
    }
    expect(toTrace([otlpSpan({ attributes: both })]).metadata).toEqual({ plan: 'first', x: 1 })
  })

  it('session and user come from the runtime context of the AI SDK 7', () => {
    const attributes = { 'ai.settings.context.sessionId': 's-9', 'ai.settings.context.userId': 'u-7' }
    expect(toTrace([otlpSpan({ attributes })])).toMatchObject({ session_id: 's-9', user_id: 'u-7' })
  })

  it('the resource is kept on the root, and on spans with another one; scope and client spans are kept', () => {
    const scope = { name: 'lib', version: '1' }
    const trace = toTrace([
      otlpSpan({ resource: { 'service.name': 'shop', n: '9007199254740993' }, scope }),
      child('b', {}, { resource: { 'service.name': 'shop', n: '9007199254740993' }, kind: 3 }),
      child('c', {}, { resource: { 'service.name': 'billing' } }),
    ])
    const shared = { resource: { 'service.name': 'shop', n: '9007199254740993' } }
    expect(spansOf(trace)).toMatchObject([{ ...shared, scope }, { otlp_kind: 'client' }, { resource: {} }])
    expect(spansOf(trace)[1]).not.toHaveProperty('resource')
  })
})

describe('tokens of a trace', () => {
  it('are those of the innermost calls, for any tree in any order', () => {
    const node = fc.record({
      parent: fc.nat(),
      tokens: fc.option(fc.nat({ max: 1000 })),
      operation: fc.constantFrom('chat', 'invoke_agent', 'execute_tool', 'embeddings'),
      place: fc.nat(),
    })
    fc.assert(
      fc.property(fc.array(node, { minLength: 1, maxLength: 14 }), (nodes) => {
        const parentOf = (index: number) => (index === 0 ? undefined : (nodes[index]?.parent ?? 0) % index)
        const spans = nodes.map(({ tokens, operation, place }, index) => {
          const parent = parentOf(index)
          const attributes: Attributes = { 'gen_ai.operation.name': operation, place }
          if (tokens !== null) attributes['gen_ai.usage.input_tokens'] = tokens
          return otlpSpan({
            spanId: String(index),
            ...(parent !== undefined && { parentId: String(parent) }),
            attributes,
          })
        })
        const hasTokensBelow = (index: number): boolean =>
          nodes.some((other, at) => parentOf(at) === index && (other.tokens !== null || hasTokensBelow(at)))
        const counted = nodes.flatMap(({ tokens }, index) =>
          tokens === null || hasTokensBelow(index) ? [] : [tokens],
        )
        const shuffled = spans.toSorted((a, b) => Number(a.attributes.place) - Number(b.attributes.place))
        const expected = counted.reduce((sum, tokens) => sum + tokens, 0)
        const { token_usage } = toTrace(shuffled)
        expect(token_usage?.prompt_tokens ?? null).toBe(counted.length === 0 ? null : expected)
      }),
    )
  })
})
