import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordedTraces } from '../../../../test/otlp-fixtures.ts'
import { child, mapped, otlpSpan, spansOf, toTrace, user } from '../../../../test/otlp-spans.ts'
import type { Attributes, AttributeValue } from '../span.ts'
import { toTraceInSteps } from './index.ts'

describe('hostile spans', () => {
  it('with cycles of parents, missing parents and repeated ids make a trace', () => {
    const tokens = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 5 }
    const cycle = [
      otlpSpan({ spanId: 'a', parentId: 'b', attributes: tokens }),
      otlpSpan({ spanId: 'b', parentId: 'a', attributes: tokens }),
    ]
    expect(toTrace(cycle).token_usage).toMatchObject({ prompt_tokens: 5 })
    const itself = otlpSpan({ parentId: 'a', attributes: tokens })
    expect(toTrace([itself, itself]).spans).toHaveLength(2)
  })

  it('with a chain of 20,000 spans make a trace', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      otlpSpan({
        spanId: String(index),
        ...(index > 0 && { parentId: String(index - 1) }),
        attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 1 },
      }),
    )
    expect(toTrace(chain).token_usage).toMatchObject({ prompt_tokens: 1 })
  })

  it('with huge indexes cost no more than small ones', () => {
    const attributes: Attributes = {
      'llm.input_messages.99999999.message.content': 'last',
      'llm.input_messages.3.message.content': 'first',
      'llm.input_messages.999999999999999999999.message.content': 'no index',
      'llm.input_messages.-1.message.content': 'no index',
    }
    for (let index = 0; index < 100_000; index += 1)
      attributes[`llm.output_messages.${index * 977}.message.content`] = 'x'
    const span = mapped(attributes)
    expect(span.input).toEqual([user('first'), user('last')])
    expect(span.output).toHaveLength(100_000)
    expect(Object.keys(span.attributes ?? {})).toHaveLength(2)
  })

  it('with unusable values of known attributes keep them as attributes', () => {
    const attributes: Attributes = {
      'gen_ai.usage.input_tokens': -5,
      'gen_ai.usage.output_tokens': Number.NaN,
      'gen_ai.request.model': { name: 'x' },
      'llm.cost.total': Number.POSITIVE_INFINITY,
      'llm.token_count.total': 1e300,
      'gen_ai.input.messages': '[{"role":',
      'langfuse.observation.usage_details': '[1]',
      'session.id': ['x'],
      'tag.tags': { a: 1 },
    }
    const trace = toTrace([otlpSpan({ attributes })])
    expect(trace).toMatchObject({ session_id: null, tags: [], model: null, token_usage: null })
    const [span] = spansOf(trace)
    expect(span).toMatchObject({ kind: 'llm', input: '[{"role":' })
    const { 'gen_ai.input.messages': _, ...others } = attributes
    expect(span?.attributes).toEqual({
      ...others,
      'gen_ai.usage.output_tokens': 'NaN',
      'llm.cost.total': 'Infinity',
    })
  })

  it('with tags that are no texts keep the whole list as an attribute', () => {
    const trace = toTrace([otlpSpan({ attributes: { 'tag.tags': ['x', 5] } })])
    expect(trace.tags).toEqual(['x'])
    expect(spansOf(trace)[0]?.attributes).toEqual({ 'tag.tags': ['x', 5] })
  })

  it('with names of prototypes keep them as attributes', () => {
    const attributes = JSON.parse('{"__proto__":{"model":"x"},"constructor":"c","toString":1}') as Attributes
    const span = mapped(attributes)
    expect(Object.entries(span.attributes ?? {})).toEqual(Object.entries(attributes))
    expect(span.model).toBeUndefined()
  })

  it('with integers that a number cannot hold keep their digits', () => {
    const text = '{"id":12345678901234567890,"x":1.5}'
    const span = mapped({ 'langfuse.observation.input': text })
    expect(span.input).toEqual({ id: '12345678901234567890', x: 1.5 })
    expect(toTrace([otlpSpan({ attributes: { 'langfuse.observation.input': text } })]).input).toBe(text)
  })

  it('with long integers keep their digits beside escapes, and integers in texts', () => {
    const text = String.raw`{"a\"b":[12345678901234567890,-1,1.1234567890123456789],"t":"\n 12345678901234567890"}`
    expect(mapped({ 'input.value': text }).input).toEqual({
      'a"b': ['12345678901234567890', -1, 1.1234567890123457],
      t: '\n 12345678901234567890',
    })
  })

  it('with keys of escapes are not confused with keys of other texts', () => {
    const keys = ['\\', '\n', '"', 'b\\', 'b\n']
    for (const key of [...keys, ...keys]) {
      const input = { a: [], [key]: { a: 1, [key]: 2 } }
      const span = mapped({ 'input.value': JSON.stringify(input) })
      expect(Object.entries(span.input as object)).toEqual(Object.entries(input))
    }
  })

  it('with texts of too many values keep the text', () => {
    const text = `[1234567890123456${',1'.repeat(60_000)}]`
    const span = mapped({ 'input.value': text, metadata: text })
    expect(span).toMatchObject({ input: text, attributes: { metadata: text } })
  })

  it('leave pauses between two spans, however many spans a trace has', () => {
    const steps = toTraceInSteps(
      Array.from({ length: 500 }, (_, index) => otlpSpan({ spanId: String(index) })),
    )
    let pauses = 0
    while (!steps.next().done) pauses += 1
    // Each span is mapped, searched for the session, the user and the tags, and written.
    expect(pauses).toBeGreaterThanOrEqual(5 * 500)
  })

  it('with deep nesting can be written as JSON', () => {
    let value: AttributeValue = 'x'
    for (let level = 0; level < 5000; level += 1) value = [value]
    const text = '['.repeat(100_000)
    const attributes = { deep: value, 'input.value': text, 'output.value': value, metadata: value }
    const trace = toTrace([otlpSpan({ attributes, resource: { deep: value } })])
    expect(trace.input).toBe(text)
    expect(JSON.stringify(trace)).toContain('…')
  })

  it('with times that are missing, reversed or no numbers make a trace', () => {
    const trace = toTrace([
      otlpSpan({ startMs: Number.NaN, endMs: Number.POSITIVE_INFINITY }),
      child('b', {}, { startMs: 2000, endMs: 1000 }),
    ])
    expect(trace.latency_ms).toBeNull()
    expect(trace).not.toHaveProperty('created_at')
    expect(spansOf(trace)).toMatchObject([
      { start_ms: 2000, end_ms: null },
      { start_ms: null, end_ms: null },
    ])
  })

  it('of any attributes never throw, and keep unknown attributes', () => {
    const known = recordedTraces('ai-sdk-6')
      .concat(recordedTraces('openinference-openai'), recordedTraces('genkit'), recordedTraces('langfuse-5'))
      .flat()
      .flatMap(({ attributes }) => Object.keys(attributes))
    const name = fc.oneof(
      fc.constantFrom(...new Set(known)),
      fc.constantFrom(
        'events',
        'metadata',
        'gen_ai.prompt.0.role',
        'gen_ai.prompt.0.content.x',
        'ai.response.object',
      ),
      fc.string(),
      fc.constantFrom('own.a', 'own.b'),
    )
    const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.jsonValue().map((json) => JSON.stringify(json)),
        fc.constantFrom(
          '[{"role":"user"}]',
          '{"role":"user","content":[{"type":"tool_call"}]}',
          '{"messages":[[]]}',
        ),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('role', 'content', 'parts', 'type', '__proto__', 'id'), tie('value')),
      ),
    }))
    const attributes = fc
      .array(fc.tuple(name, value), { maxLength: 12 })
      .map((entries) => Object.fromEntries(entries))
    fc.assert(
      fc.property(attributes, attributes, fc.double(), (one, two, time) => {
        const trace = toTrace([
          otlpSpan({
            attributes: one,
            endMs: time,
            events: [{ name: 'gen_ai.choice', timeMs: time, attributes: two }],
          }),
          child('b', two, { startMs: time }),
        ])
        for (const [key, value] of Object.entries(two).filter(([key]) => key.startsWith('own.'))) {
          const kept = spansOf(trace).find(({ span_id }) => span_id === 'b')?.attributes?.[key]
          expect(JSON.stringify(kept)).toBe(JSON.stringify(value))
        }
        expect(typeof trace.input).toBe('string')
        expect(typeof trace.output).toBe('string')
        JSON.stringify(trace)
      }),
      { numRuns: 400 },
    )
  })
})
