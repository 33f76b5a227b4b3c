import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'

const full = {
  name: 'capital of a country',
  input: 'What is the capital of France?',
  output: 'Paris.',
  model: 'gpt-4o',
  latency_ms: 123.25,
  tags: ['geo', 'eu', 'geo'],
  token_usage: {
    prompt_tokens: 10,
    completion_tokens: 2,
    total_tokens: 12,
    cache_read_tokens: 4,
    audio_tokens: 0,
  },
  metadata: { user: { plan: 'pro', seats: [1, 2.5, null, true] }, empty: {} },
  custom_attributes: { region: 'eu', tier: 3, beta: false },
  version: '1.2.3',
  session_id: 'session 1',
  user_id: 'user 1',
  environment: 'production',
  cost: 0.0125,
  cost_breakdown: { llm: 0.01, embedding: 0.0025, reranking: 0 },
  tool_calls: [
    { name: 'search', arguments: { q: 'x' }, result: ['a'], error: null, latency_ms: 5, extra: 1 },
  ],
  status: 'error',
  error: 'it took too long',
}

const isoForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe.each(sharedServers)('traces, on $database', ({ server }) => {
  let tenant: Tenant
  let base: string

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    base = `/v1/${tenant.projectId}`
  })

  const post = (body: unknown, path = '/traces') => tenant.project.post(base + path, body)
  const detail = async (id: string) => (await tenant.project.ok('GET', `${base}/analytics/traces/${id}`)).body
  const list = async (query = '') => (await tenant.project.ok('GET', `${base}/analytics/traces${query}`)).body

  async function stored(trace: object) {
    const { status, body, text } = await post({ input: 'i', output: 'o', ...trace })
    expect(status, text).toBe(201)
    expect(body).toEqual({ trace_id: expect.stringMatching(/^trc_[0-9a-z]{20}$/), status: 'created' })
    return detail(body.trace_id)
  }

  it('store every field exactly', async () => {
    const before = Date.now()
    const trace = await stored(full)
    const { trace_id, created_at, ...rest } = trace
    expect(rest).toEqual({ ...full, cost_source: 'client', spans: [], scores: [] })
    expect(created_at).toMatch(isoForm)
    expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before - 5)
    expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.now() + 5)
  })

  it('are in the list for the next request, with the fields of a summary', async () => {
    const { body } = await post(full)
    const [newest] = await list('?limit=1')
    const { name, input, output, model, latency_ms, status, tags, token_usage, cost } = full
    const created_at = expect.stringMatching(isoForm)
    const summary = { name, input, output, model, latency_ms, status, tags, token_usage, cost, created_at }
    expect(newest).toEqual({ trace_id: body.trace_id, ...summary })
  })

  it('have documented defaults', async () => {
    const { trace_id, created_at, ...rest } = await stored({})
    expect(rest).toEqual({
      ...{
        input: 'i',
        output: 'o',
        model: null,
        latency_ms: null,
        status: 'success',
        tags: [],
        token_usage: null,
      },
      ...{ cost: null, metadata: {}, custom_attributes: {}, version: null, session_id: null, user_id: null },
      ...{
        environment: null,
        cost_source: null,
        cost_breakdown: null,
        tool_calls: [],
        spans: [],
        error: null,
      },
      scores: [],
    })
  })

  it('accept null for a missing optional field, and ignore unknown fields', async () => {
    const nulls = Object.fromEntries(
      Object.keys(full)
        .filter((name) => name !== 'input' && name !== 'output')
        .map((name) => [name, null]),
    )
    const { trace_id, created_at, ...rest } = await stored({
      ...nulls,
      spans: null,
      created_at: null,
      nope: 1,
    })
    const { trace_id: _, created_at: __, ...plain } = await stored({})
    expect(rest).toEqual(plain)
  })

  it.each([
    [{ start: 1000, end: 2500.5 }, 1000, 2500.5],
    [{ start_ms: 1000, end_ms: 1000 }, 1000, 1000],
    [{ start: '2024-01-02T03:04:05.678Z', end: '2024-01-02T04:04:06+01:00' }, 1704164645678, 1704164646000],
    [{ start: '2024-01-02', end: '2024-01-02T00:00:01' }, 1704153600000, 1704153601000],
    [{ start: 0 }, 0, null],
    [{ end: 5 }, null, 5],
    [{ start: null, start_ms: 7, end_ms: 8 }, 7, 8],
    [{}, null, null],
  ])('return the span times %j as milliseconds', async (times, start_ms, end_ms) => {
    const { spans } = await stored({ spans: [{ name: 'step', ...times }] })
    expect(spans).toEqual([{ name: 'step', start_ms, end_ms, attributes: {} }])
  })

  it('keep the order of spans and their additional fields', async () => {
    const extra = {
      span_id: '2',
      parent_id: '1',
      kind: 'tool',
      input: { a: [1] },
      output: 'x',
      status: 'ok',
      error: 'e',
    }
    const attributes = { model: 'm', nested: { deep: [0, false] } }
    const spans = [
      { name: 'second', start: 20, end: 30, attributes, ...extra, custom: { kept: true } },
      { name: '', start: 0, end: 10 },
    ]
    expect((await stored({ spans })).spans).toEqual([
      { name: 'second', start_ms: 20, end_ms: 30, attributes, ...extra, custom: { kept: true } },
      { name: '', start_ms: 0, end_ms: 10, attributes: {} },
    ])
  })

  it('are rejected if a span ends before its start, in any form of the times', async () => {
    const wrong = [
      { start: 10, end: 9 },
      { start_ms: 10, end_ms: 9.5 },
      { start: '2024-01-02', end: '2024-01-01' },
      { start: 1704153600001, end: '2024-01-02' },
    ]
    for (const times of wrong) {
      const answer = await post({
        input: 'i',
        output: 'o',
        spans: [{ name: 'ok' }, { name: 'bad', ...times }],
      })
      expectRefusal(answer, { status: 400, project: true, names: 'spans[1].end' })
    }
  })

  it('keep token counts of any name if they are numbers, including zero', async () => {
    const counts = { prompt_tokens: 0, completion_tokens: 3, reasoning_tokens: 1.5, weird: -2 }
    const usage = { ...counts, note: 'x', list: [1], flag: true, nothing: null, total_tokens: null }
    expect((await stored({ token_usage: usage })).token_usage).toEqual(counts)
    expect((await stored({ token_usage: {} })).token_usage).toEqual({})
  })

  it('have the cost from the client, including zero, or the sum of its parts', async () => {
    expect(await stored({ cost: 0 })).toMatchObject({ cost: 0, cost_source: 'client' })
    const parts = { llm: 0.5, embedding: 0.25, reranking: 0.125 }
    expect(await stored({ cost_breakdown: parts })).toMatchObject({ cost: 0.875, cost_source: 'client' })
    expect(await stored({ cost: 2, cost_breakdown: parts })).toMatchObject({ cost: 2, cost_breakdown: parts })
    expect(await stored({ cost_breakdown: { llm: 0 } })).toMatchObject({ cost: 0, cost_source: 'client' })
    expect(await stored({ cost_breakdown: {} })).toMatchObject({ cost: null, cost_source: null })
  })

  it.each([
    ['2020-02-29T23:59:59.999Z', '2020-02-29T23:59:59.999Z'],
    ['2020-02-29', '2020-02-29T00:00:00.000Z'],
    ['2020-02-29T12:00:00+05:30', '2020-02-29T06:30:00.000Z'],
    ['2020-02-29T12:00:00.5', '2020-02-29T12:00:00.500Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['1901-01-01', '1901-01-01T00:00:00.000Z'],
    ['2999-12-31', '2999-12-31T00:00:00.000Z'],
  ])('can be back-filled at %s', async (created_at, shown) => {
    const trace = await stored({ created_at })
    expect(trace.created_at).toBe(shown)
    const end = new Date(Date.parse(shown) + 1).toISOString()
    const ids = (await list(`?start_date=${shown}&end_date=${end}`)).map(
      ({ trace_id }: { trace_id: string }) => trace_id,
    )
    expect(ids).toContain(trace.trace_id)
    expect(await list(`?start_date=${end}&end_date=${end}`)).toEqual([])
  })

  it('come in batches: the results are in order, each with its own id', async () => {
    const { project, projectId } = await createTenant(server.url)
    const traces = Array.from({ length: 1000 }, (_, i) => ({
      input: `trace ${i}`,
      output: '',
      latency_ms: i,
    }))
    const { status, body } = await project.post(`/v1/${projectId}/traces/batch`, { traces })
    expect(status).toBe(201)
    expect(body).toMatchObject({ created: 1000, failed: 0 })
    expect(body.results.map(({ index }: { index: number }) => index)).toEqual(traces.map((_, i) => i))
    const { body: listed } = await project.get(`/v1/${projectId}/analytics/traces?limit=1000`)
    const inputOf = new Map(listed.map(({ trace_id, input }: Record<string, string>) => [trace_id, input]))
    for (const { index, trace_id, ...rest } of body.results) {
      expect(rest).toEqual({ status: 'created' })
      expect(inputOf.get(trace_id)).toBe(`trace ${index}`)
    }
  })

  it('of a batch that are invalid are reported by index, without rejecting the others', async () => {
    const good = { input: 'good', output: 'x' }
    const traces = [
      good,
      { input: 5, output: 'x' },
      null,
      good,
      { output: 'x' },
      { ...good, latency_ms: -1 },
      [],
    ]
    const { status, body } = await post({ traces }, '/traces/batch')
    expect(status).toBe(201)
    expect(body).toMatchObject({ created: 2, failed: 5 })
    const failed = body.results.filter((result: object) => 'error' in result)
    expect(failed.map(({ index }: { index: number }) => index)).toEqual([1, 2, 4, 5, 6])
    const messages = failed.map(({ error }: { error: string }) => error)
    expect(messages).toEqual([
      expect.stringContaining('input'),
      expect.stringContaining('the trace'),
      expect.stringContaining('input'),
      expect.stringContaining('latency_ms'),
      expect.stringContaining('the trace'),
    ])
    for (const result of failed) expect(Object.keys(result)).toEqual(['index', 'error'])
    for (const index of [0, 3]) expect((await detail(body.results[index].trace_id)).input).toBe('good')
  })

  it('of a batch that are all invalid, or too many, are rejected as a whole', async () => {
    const count = async () => (await tenant.project.get(`${base}/analytics/metrics`)).body.total_queries
    const before = await count()
    const bad = await post({ traces: [{ input: 1 }, {}] }, '/traces/batch')
    expectRefusal(bad, { status: 400, project: true, names: 'traces[0]' })
    const good = { input: 'a', output: 'b' }
    const many = await post({ traces: Array.from({ length: 1001 }, () => good) }, '/traces/batch')
    expectRefusal(many, { status: 400, project: true, names: 'traces' })
    expect(await count()).toBe(before)
  })

  it('of many concurrent requests are all stored', async () => {
    const { project, projectId } = await createTenant(server.url)
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        project.post(`/v1/${projectId}/traces`, { input: `${i}`, output: '' }),
      ),
    )
    expect(new Set(answers.map(({ body }) => body.trace_id)).size).toBe(200)
    const { body } = await project.get(`/v1/${projectId}/analytics/traces?limit=1000`)
    const inputs = body
      .map(({ input }: { input: string }) => Number(input))
      .sort((a: number, b: number) => a - b)
    expect(inputs).toEqual(Array.from({ length: 200 }, (_, i) => i))
  })
})
