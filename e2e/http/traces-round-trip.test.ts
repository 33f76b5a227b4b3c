import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { parseCsv } from '../support/csv.ts'
import { sharedServers } from '../support/databases.ts'

/** Texts with any characters: control characters, NUL, other planes, and special characters of spreadsheets and CSV. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom('=', "'", '"', ',', '\r', '\n', '\t', '\0', ' ', 'a', '1'),
    maxLength: 6,
  }),
)
const amount = fc.double({ min: 0, max: 1e9, noNaN: true }).map(Math.abs)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const object = fc.dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })

const trace = fc.record({
  name: maybe(text),
  input: text,
  output: text,
  model: maybe(text),
  error: maybe(text),
  version: maybe(text),
  session_id: maybe(text),
  user_id: maybe(text),
  environment: maybe(text),
  status: fc.constantFrom('success', 'error'),
  latency_ms: maybe(amount),
  cost: maybe(amount),
  token_usage: maybe(
    fc.record(
      {
        prompt_tokens: amount,
        completion_tokens: amount,
        total_tokens: amount,
        reasoning_tokens: amount,
        other: amount,
      },
      { requiredKeys: [] },
    ),
  ),
  tags: fc.array(text, { maxLength: 4 }),
  metadata: object,
  custom_attributes: object,
  tool_calls: fc.array(
    fc.record({ name: text, arguments: fc.jsonValue({ maxDepth: 2 }), more: fc.integer() }),
    { maxLength: 2 },
  ),
  spans: fc.array(
    fc.record({
      name: text,
      start: fc.integer({ min: 0, max: 1e13 }),
      attributes: object,
      kind: fc.constantFrom('llm', 'tool'),
      input: fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null),
      output: text,
      model: text,
      error: text,
      events: fc.array(fc.record({ name: text, time_ms: fc.integer(), attributes: object }), {
        maxLength: 1,
      }),
    }),
    { maxLength: 2 },
  ),
})

type Sent = typeof trace extends fc.Arbitrary<infer T> ? T : never

const columns = [
  'name',
  'model',
  'version',
  'session_id',
  'user_id',
  'environment',
  'input',
  'output',
  'error',
] as const
const jsonColumns = ['tags', 'metadata', 'custom_attributes', 'tool_calls', 'spans'] as const
const numbers = ['latency_ms', 'cost'] as const
const tokens = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const

/** A value after JSON: without undefined fields and without negative zero. */
const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value))

function asShown({ spans, ...sent }: Sent) {
  const absent = { model: null, error: null, version: null, session_id: null, user_id: null }
  return {
    ...{ ...absent, environment: null, latency_ms: null, cost: null, token_usage: null },
    ...wire(sent),
    spans: wire(spans).map(({ start, ...span }) => ({ ...span, start_ms: start, end_ms: null })),
  }
}

function expectSame(trace: Record<string, unknown>, wanted: Record<string, unknown> = {}): void {
  for (const [name, value] of Object.entries(wanted)) expect(trace[name], name).toEqual(value)
}

describe.each(sharedServers)('traces of any content, on $database', ({ server }) => {
  let tenant: Tenant
  const sent = fc.sample(trace, { numRuns: 300, seed: 20_261_121 })
  const shown = sent.map(asShown)

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    const traces = sent.map((each, index) => ({
      ...each,
      created_at: new Date(Date.UTC(2024, 0, 1) + index).toISOString(),
    }))
    const path = `/v1/${tenant.projectId}/traces/batch`
    const { body } = await tenant.project.ok('POST', path, { traces })
    expect(body).toMatchObject({ created: sent.length, failed: 0 })
  })

  /** Oldest first. */
  const exported = async (format: string) =>
    tenant.project.ok('GET', `/v1/${tenant.projectId}/analytics/export?format=${format}`)

  it('are unchanged in an export as JSON Lines', async () => {
    const { text } = await exported('jsonl')
    const back = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
      .toReversed()
    expect(back).toHaveLength(sent.length)
    for (const [index, trace] of back.entries()) expectSame(trace, shown[index])
  })

  it('are unchanged in an export as JSON', async () => {
    const back = (await exported('json')).body.toReversed()
    expect(back).toHaveLength(sent.length)
    for (const [index, trace] of back.entries()) expectSame(trace, shown[index])
  })

  it('are unchanged in an export as CSV, after the removal of one leading quote', async () => {
    const [head = [], ...rows] = parseCsv((await exported('csv')).text)
    expect(rows).toHaveLength(sent.length)
    for (const [index, row] of rows.toReversed().entries()) {
      const cell = Object.fromEntries(head.map((name, column) => [name, row[column] ?? '']))
      const trace = shown[index]
      if (!trace) continue
      for (const name of columns) expect(cell[name]?.replace(/^'/, ''), name).toBe(trace[name] ?? '')
      for (const name of numbers)
        expect(cell[name], name).toBe(trace[name] == null ? '' : String(trace[name]))
      for (const name of tokens) expect(cell[name], name).toBe(String(trace.token_usage?.[name] ?? ''))
      for (const name of jsonColumns) expect(JSON.parse(cell[name] ?? ''), name).toEqual(trace[name])
    }
  })
})
