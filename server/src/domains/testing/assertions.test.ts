import { type AssertionInput, CairnError } from '@cairn/contract'
import { describe, expect, it } from 'vitest'
import { checkAssertions } from './assertions.ts'
import { schemaProblem } from './json-schema.ts'

const lookups = {
  hasScorer: async (slug: string) => slug === 'correctness',
  schemaProblem: async (schema: object) => schemaProblem(schema as Record<string, unknown>),
}
const check = (assertion: AssertionInput) =>
  checkAssertions([{ type: 'equals', value: '' }, assertion], lookups)

const number = [undefined, null, '5', true, [], {}, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e16]
const text = [undefined, null, 5, false, [], {}, '']
const wrong: Record<string, unknown[]> = {
  contains: text,
  not_contains: text,
  icontains: text,
  starts_with: text,
  equals: text.filter((value) => value !== ''),
  max_latency_ms: number,
  max_cost: number,
  min_score: [...number, 1.1, 5],
  regex: [...text, '(', '[', '*', '(?<a', 'x'.repeat(1001)],
  json_valid: [5, 'true', [], {}],
  json_schema: [
    undefined,
    null,
    5,
    'x',
    true,
    [],
    { type: 'nope' },
    { type: 5 },
    { required: 'a' },
    { pattern: '(' },
    { $ref: '#/$defs/none' },
    { $ref: 'https://example.com/schema.json' },
    { $ref: 'http://127.0.0.1:1/x' },
    { $schema: 'https://example.com/meta' },
    { $async: true },
    { description: 'x'.repeat(100_001) },
  ],
  similar: [
    undefined,
    null,
    '0.5',
    true,
    [],
    -0.1,
    1.1,
    { text: 5 },
    { text: '' },
    { threshold: 2 },
    { threshold: '1' },
  ],
}

describe.each(Object.entries(wrong))('values of %s', (type, values) => {
  it.each(values.map((value) => ({ value })))(
    '$value is rejected with the name of the field',
    async ({ value }) => {
      const error = await check({ type, value } as AssertionInput).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(CairnError)
      expect((error as CairnError).status).toBe(400)
      expect((error as CairnError).message).toMatch(/^assertions\[1\]\.value (?:is|must) .{5,300}$/)
    },
  )
})

describe('accepted assertions', () => {
  it.each<{ given: AssertionInput; kept: object }>([
    { given: { type: 'json_valid' }, kept: { type: 'json_valid', value: true } },
    { given: { type: 'json_valid', value: false }, kept: { type: 'json_valid', value: false } },
    { given: { type: 'max_latency_ms', value: 0 }, kept: { type: 'max_latency_ms', value: 0 } },
    {
      given: { type: 'min_score', value: 1, scorer: 'correctness' },
      kept: { type: 'min_score', value: 1, scorer: 'correctness' },
    },
    {
      given: { type: 'contains', value: 'a', scorer: 'correctness' },
      kept: { type: 'contains', value: 'a' },
    },
    { given: { type: 'similar', value: {} }, kept: { type: 'similar', value: {} } },
  ])('$given', async ({ given, kept }) => {
    expect((await check(given))[1]).toEqual(kept)
  })

  it('name an existing scorer', async () => {
    await expect(check({ type: 'min_score', value: 1, scorer: 'nobody' })).rejects.toThrow(
      'assertions[1].scorer',
    )
  })
})
