import { type Assertion, type AssertionType, assertionTypes, CairnError } from '@cairn/contract'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { FairQueue } from '../../lib/fair-queue.ts'
import { scoreLocally } from '../scorers/local/index.ts'
import { type Evaluators, evaluate, type Outcome, scoreAnswer } from './evaluate.ts'
import { createCheckPool } from './pool.ts'

const queue = new FairQueue({
  width: 2,
  widthPerProject: 1,
  maxWaiting: 100,
  refusal: () => new Error('refused'),
})
/** Checks that end by themselves; the limit only ends a failed test. */
const checks = createCheckPool(queue, 30_000)
/** Checks that never end, and quick ones between them, which may exceed this limit on a busy machine. */
const [hopelessMs, busyMs] = [300, 30_000]
const hopeless = createCheckPool(queue, hopelessMs)
afterAll(() => Promise.all([checks.close(), hopeless.close()]))

const evaluators: Evaluators = {
  projectId: 'project',
  checks,
  scoreOutput: async (slug, { query, output, expectedAnswer }) => ({
    ...scoreLocally(slug, { input: query, output, expected_output: expectedAnswer }),
    method: 'local',
  }),
  compare: async (a, b) =>
    scoreLocally('semantic-similarity', { input: undefined, output: b, expected_output: a }).score,
}

const outcome = (output: string, others: Partial<Outcome> = {}): Outcome => ({
  query: 'How many books may I borrow?',
  expectedAnswer: 'Twelve books',
  output,
  latencyMs: 100,
  cost: 0.01,
  ...others,
})

const huge = `${'a'.repeat(1_000_000)}b`
const schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 1 } } }

/** Value, output (or outcome), and whether it passes. */
type Row = [value: unknown, output: string | Outcome, passed: boolean]

const table: Record<AssertionType, Row[]> = {
  contains: [
    ['sky', 'the sky.', true],
    ['Sky', 'the sky.', false],
    ['sky', '', false],
    ['😀', 'a 😀 b', true],
    ['é', 'e\u0301', false],
    ['$&', 'costs $& more', true],
    ['ab', huge, true],
  ],
  not_contains: [
    ['sky', 'the sky.', false],
    ['Sky', 'the sky.', true],
    ['sky', '', true],
    ['ab', huge, false],
  ],
  icontains: [
    ['SKY', 'the sky.', true],
    ['ÜBER', 'drüber und über', true],
    ['ΟΔΟΣ', 'η οδος', true],
    ['sky', '', false],
    ['skies', 'the sky', false],
  ],
  starts_with: [
    ['The', 'The sky', true],
    ['the', 'The sky', false],
    ['The', ' The sky', false],
    ['The', '', false],
    ['👩', '👩‍🚀', true],
  ],
  equals: [
    ['sky', 'sky', true],
    ['sky', 'sky ', false],
    ['sky', 'Sky', false],
    ['', '', true],
    ['', ' ', false],
    ['é', 'e\u0301', false],
    ['a\nb', 'a\nb', true],
    ['a\nb', 'a\r\nb', false],
  ],
  max_latency_ms: [
    [100, outcome('x', { latencyMs: 100 }), true],
    [100, outcome('x', { latencyMs: 100.001 }), false],
    [0, outcome('x', { latencyMs: 0 }), true],
    [1e15, outcome('x', { latencyMs: 1e9 }), true],
    [100, outcome('x', { latencyMs: Number.NaN }), false],
  ],
  max_cost: [
    [0.01, outcome('x', { cost: 0.01 }), true],
    [0.01, outcome('x', { cost: 0.010_000_1 }), false],
    [0, outcome('x', { cost: 0 }), true],
    [1, outcome('x', { cost: null }), false],
    [1, outcome('x', { cost: Number.NaN }), false],
  ],
  min_score: [
    [1, 'Twelve books', true],
    [0.7, 'You may borrow 12 books.', true],
    [0.7, 'You may borrow 20 books.', false],
    [0.7, '', false],
    [0, '', true],
  ],
  regex: [
    ['^\\d+ books$', '12 books', true],
    ['^\\d+ books$', '12 Books', false],
    ['(?i:BOOKS)', '12 books', true],
    ['', '', true],
    ['^b', 'a\nb', false],
    ['\\p', 'p', true],
    ['^.{3}$', '😀a', true],
    ['b$', huge, true],
  ],
  json_valid: [
    [true, '{"a": 1}', true],
    [true, ' [1, 2]\n', true],
    [true, 'null', true],
    [true, '', false],
    [true, '{"a": 1', false],
    [true, '{"a": NaN}', false],
    [true, "{'a': 1}", false],
    [true, '```json\n{}\n```', false],
    [false, 'no json', true],
    [false, '{}', false],
  ],
  json_schema: [
    [schema, '{"a": 1}', true],
    [schema, '{"a": 0}', false],
    [schema, '{"a": "1"}', false],
    [schema, '{}', false],
    [schema, '[]', false],
    [schema, '', false],
    [schema, 'a: 1', false],
    [schema, '{"__proto__": {"a": 1}}', false],
    [{ $ref: '#/$defs/x', $defs: { x: { type: 'string' } } }, '"x"', true],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#', type: 'array', items: [{ type: 'null' }] },
      '[null]',
      true,
    ],
    [{ pattern: '^(a+)+$' }, '"aab"', false],
    [schema, `{"a": 1, "b": "${huge}"}`, true],
    [{}, '['.repeat(100_000), false],
  ],
  similar: [
    [1, 'Twelve books', true],
    [0.8, 'a blue bicycle', false],
    [0, '', true],
    [0.8, '', false],
    [{ text: 'a blue bicycle', threshold: 0.9 }, 'a blue bicycle', true],
    [{ text: 'a blue bicycle' }, 'Twelve books', false],
    [{ threshold: 0.2 }, 'twelve of the books', true],
  ],
}

describe.each(assertionTypes)('the assertion %s', (type) => {
  it.each(table[type].map(([value, given, passed], index) => ({ index, value, given, passed })))(
    'row $index: $passed',
    async ({ value, given, passed }) => {
      const assertion: Assertion = { type, value }
      const result = await evaluate(assertion, typeof given === 'string' ? outcome(given) : given, evaluators)
      expect(result).toMatchObject({ type, value, passed })
      if (passed) expect(result.message).toBeUndefined()
      else expect(result.message).toMatch(/\S/)
      expect((result.message ?? '').length).toBeLessThan(400)
    },
  )
})

describe('a score', () => {
  it('passes at exactly its threshold, and not below', async () => {
    for (const type of ['min_score', 'similar'] as const) {
      const scored = async () => ({ score: 0.7, reasoning: 'so it is', method: 'local' as const })
      const fixed = { ...evaluators, scoreOutput: scored, compare: async () => 0.7 }
      const at = await evaluate({ type, value: 0.7 }, outcome('x'), fixed)
      const above = await evaluate({ type, value: 0.7000001 }, outcome('x'), fixed)
      expect([at.passed, at.score, above.passed, above.score]).toEqual([true, 0.7, false, 0.7])
    }
  })

  it('comes from the scorer that the assertion names', async () => {
    const result = await evaluate(
      { type: 'min_score', value: 1, scorer: 'json-valid' },
      outcome('{}'),
      evaluators,
    )
    expect(result).toMatchObject({ scorer: 'json-valid', passed: true, score: 1, method: 'local' })
  })

  it('that no scorer can compute fails the assertion, with the reason', async () => {
    const none = {
      ...evaluators,
      scoreOutput: () => Promise.reject(new CairnError('model_failed', 'it is down')),
    }
    const result = await evaluate({ type: 'min_score', value: 0 }, outcome('x'), none)
    expect(result).toMatchObject({ passed: false, message: 'it could not be scored: it is down' })
    const whole = await scoreAnswer(outcome('x'), none.scoreOutput)
    expect(whole).toMatchObject({ score: null, reasoning: 'it could not be scored: it is down' })
  })
})

describe('a check without an end', () => {
  it.each([
    { type: 'regex' as const, value: '^(a+)+$', output: `${'a'.repeat(40)}!` },
    { type: 'regex' as const, value: '(x+x+)+y', output: 'x'.repeat(5_000) },
    { type: 'json_schema' as const, value: { pattern: '^(a+)+$' }, output: `"${'a'.repeat(40)}!"` },
    { type: 'json_schema' as const, value: { $ref: '#' }, output: '1' },
  ])('$type $value is ended, and the next check works', async ({ type, value, output }) => {
    const result = await evaluate({ type, value }, outcome(output), { ...evaluators, checks: hopeless })
    expect(result).toMatchObject({ passed: false, message: expect.stringContaining('could not be checked') })
    await vi.waitFor(async () => expect(await hopeless.matches('project', 'a', 'a')).toBe(true), busyMs)
  })

  it('delays no check of another project, even if many wait', async () => {
    const order: string[] = []
    const pool = createCheckPool(queue, 60_000)
    const slow = Array.from({ length: 3 }, () =>
      evaluate({ type: 'regex', value: '^(a+)+$' }, outcome(`${'a'.repeat(40)}!`), {
        ...evaluators,
        checks: pool,
      })
        .catch(() => {})
        .then(() => order.push('slow')),
    )
    const other = { ...evaluators, checks: pool, projectId: 'other' }
    expect((await evaluate({ type: 'regex', value: 'a' }, outcome('a'), other)).passed).toBe(true)
    order.push('other')
    await pool.close()
    await Promise.all(slow)
    expect(order).toEqual(['other', 'slow', 'slow', 'slow'])
  })

  it('delays only other checks of its project, and all of them get a result', async () => {
    const within = { ...evaluators, checks: hopeless }
    const slow = Array.from({ length: 4 }, () =>
      evaluate({ type: 'regex', value: '^(a+)+$' }, outcome(`${'a'.repeat(40)}!`), within),
    )
    const quick = vi.waitFor(
      async () =>
        expect((await evaluate({ type: 'regex', value: 'a' }, outcome('a'), within)).passed).toBe(true),
      busyMs,
    )
    expect((await Promise.all(slow)).map(({ passed }) => passed)).toEqual([false, false, false, false])
    await quick
  })
})
