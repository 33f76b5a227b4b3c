import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'

const usage = (prompt_tokens: number, completion_tokens = 0) => ({ prompt_tokens, completion_tokens })

/** All optional fields of a span. */
const full = {
  name: 'chat gpt-4o',
  span_id: 'b',
  parent_id: 'a',
  kind: 'llm',
  start_ms: 1000,
  end_ms: 2000.5,
  attributes: { temperature: 0.2 },
  status: 'error',
  error: 'cut off',
  input: [{ role: 'user', content: 'Capital of France?' }],
  output: 'Paris',
  model: 'gpt-4o',
  token_usage: { ...usage(21, 9), total_tokens: 30, cache_read_tokens: 8 },
  cost: 0.0012,
  events: [{ name: 'first token', time_ms: 1200, attributes: { tokens: 1 } }],
}

describe.each(sharedServers)('spans and names of traces, on $database', ({ server }) => {
  let tenant: Tenant
  let base: string

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    base = `/v1/${tenant.projectId}`
  })
  beforeAll(async () => {
    // USD per 1,000,000 tokens: a token of `cheap` costs 1, a token of `dear` 100 millionths.
    for (const [model, price] of [
      ['cheap', 1],
      ['dear', 100],
    ] as const) {
      await Api.admin(server.url).ok('PUT', `/v1/console/projects/${tenant.projectId}/prices`, {
        model,
        input: price,
        output: price,
        start_date: '2020-01-01',
      })
    }
  })

  const post = (trace: object) => tenant.project.post(`${base}/traces`, { input: 'i', output: 'o', ...trace })
  const detail = async (id: string) => (await tenant.project.ok('GET', `${base}/analytics/traces/${id}`)).body
  async function stored(trace: object) {
    const { status, body, text } = await post(trace)
    expect(status, text).toBe(201)
    return detail(body.trace_id)
  }

  it('spans carry input, output, model, tokens, cost, status, error and events, also in an export', async () => {
    const trace = await stored({ spans: [{ name: 'agent', span_id: 'a' }, full] })
    expect(trace.spans).toEqual([
      { name: 'agent', span_id: 'a', start_ms: null, end_ms: null, attributes: {} },
      full,
    ])
    const { text } = await tenant.project.ok('GET', `${base}/analytics/export?format=jsonl`)
    expect(JSON.parse(text.split('\n')[0] ?? '')).toEqual(trace)
  })

  it('spans accept null for a missing field, dates for the times of events, and any JSON as input', async () => {
    const nulls = Object.fromEntries(Object.keys(full).map((name) => [name, null]))
    const event = { name: 'e', time: '2024-01-02T03:04:05.678Z', more: [1] }
    const trace = await stored({
      spans: [
        { ...nulls, name: 'nothing' },
        { name: 'values', input: { deep: [{ a: null }] }, output: 0, events: [event] },
      ],
    })
    expect(trace.spans).toEqual([
      { name: 'nothing', start_ms: null, end_ms: null, attributes: {} },
      {
        name: 'values',
        start_ms: null,
        end_ms: null,
        attributes: {},
        input: { deep: [{ a: null }] },
        output: 0,
        events: [{ name: 'e', time_ms: 1704164645678, attributes: {}, more: [1] }],
      },
    ])
  })

  it.each([
    [{ model: 5 }, 'spans[1].model'],
    [{ model: ['gpt-4o'] }, 'spans[1].model'],
    [{ token_usage: 30 }, 'spans[1].token_usage'],
    [{ token_usage: { prompt_tokens: -1 } }, 'spans[1].token_usage.prompt_tokens'],
    [{ token_usage: { completion_tokens: '9' } }, 'spans[1].token_usage.completion_tokens'],
    [{ token_usage: { total_tokens: 1e16 } }, 'spans[1].token_usage.total_tokens'],
    [{ cost: -0.1 }, 'spans[1].cost'],
    [{ cost: '1' }, 'spans[1].cost'],
    [{ cost: 1e16 }, 'spans[1].cost'],
    [{ status: 1 }, 'spans[1].status'],
    [{ error: {} }, 'spans[1].error'],
    [{ events: {} }, 'spans[1].events'],
    [{ events: [{}] }, 'spans[1].events[0].name'],
    [{ events: [{ name: 'e' }, { name: 'e', time: 'soon' }] }, 'spans[1].events[1].time'],
    [{ events: [{ name: 'e', time_ms: 'soon' }] }, 'spans[1].events[0].time_ms'],
    [{ events: [{ name: 'e', attributes: [] }] }, 'spans[1].events[0].attributes'],
  ])('a span with %j is rejected, and the message names the field', async (fields, names) => {
    const answer = await post({ spans: [{ name: 'good' }, { name: 'bad', ...fields }] })
    expectRefusal(answer, { status: 400, project: true, names })
  })

  it('a trace has a name in the detail, the list, the preview and the export, and lists select by it', async () => {
    const name = `support agent ${'x'.repeat(400)} 日本`
    const { trace_id } = await stored({ name })
    await stored({ name: 'another' })
    await stored({ name: null })
    const query = `?name=${encodeURIComponent(name)}`
    for (const view of ['', '&view=preview']) {
      const { body } = await tenant.project.ok('GET', `${base}/analytics/traces${query}${view}`)
      expect(body).toMatchObject([{ trace_id, name: view ? name.slice(0, 300) : name }])
    }
    const { body: exported } = await tenant.project.ok('GET', `${base}/analytics/export${query}`)
    expect(exported).toMatchObject([{ trace_id, name }])
    const { body: metrics } = await tenant.project.ok('GET', `${base}/analytics/metrics${query}`)
    expect(metrics.total_queries).toBe(1)
    const { body: none } = await tenant.project.ok('GET', `${base}/analytics/traces?name=nobody`)
    expect(none).toEqual([])
    await tenant.project.ok('DELETE', `${base}/traces/${trace_id}`)
    expect((await tenant.project.ok('GET', `${base}/analytics/traces${query}`)).body).toEqual([])
    expectRefusal(await post({ name: 5 }), { status: 400, project: true, names: 'name' })
    const twice = await tenant.project.get(`${base}/analytics/traces?name=a&name=b`)
    expectRefusal(twice, { status: 400, project: true, names: 'name' })
  })

  it('a trace without a name has no such field, and the list of scores filters by names of scores', async () => {
    const trace = await stored({ name: 'tone' })
    expect(await stored({})).not.toHaveProperty('name')
    const path = `${base}/traces/${trace.trace_id}/scores`
    await tenant.project.ok('POST', path, { name: 'clarity', value: 1 })
    for (const [name, count] of [
      ['clarity', 1],
      ['tone', 0],
    ] as const) {
      const { body } = await tenant.project.ok('GET', `${base}/scores?name=${name}`)
      expect(body, name).toHaveLength(count)
    }
  })

  it('a score can name a span', async () => {
    const { trace_id } = await stored({ spans: [full] })
    const path = `${base}/traces/${trace_id}/scores`
    const score = { name: 'quality', value: 0.5 }
    await tenant.project.ok('POST', path, score)
    await tenant.project.ok('POST', path, { ...score, span_id: 'b' })
    const { body: scores } = await tenant.project.ok('GET', path)
    expect(scores[0]).toMatchObject({ ...score, span_id: 'b' })
    expect(scores[1]).not.toHaveProperty('span_id')
    expect((await detail(trace_id)).scores).toEqual(scores)
    for (const span_id of [5, '', 'x'.repeat(201), 'a\0', ['b']]) {
      const answer = await tenant.project.post(path, { ...score, span_id })
      expectRefusal(answer, { status: 400, project: true, names: 'span_id' }, String(span_id))
    }
  })

  it('the cost of a trace is the sum of its model calls, and an agent that repeats them does not count', async () => {
    const call = (span_id: string, parent_id: string | null, fields: object) => ({
      name: 'call',
      kind: 'llm',
      span_id,
      parent_id,
      ...fields,
    })
    const trace = await stored({
      model: 'cheap',
      token_usage: usage(1_000_000),
      spans: [
        call('inner', 'wrapper', { model: 'dear', token_usage: usage(400, 100) }),
        call('agent', null, { kind: 'agent', model: 'cheap', token_usage: usage(9_999_999), cost: 77 }),
        call('wrapper', 'agent', { model: 'dear', token_usage: usage(400, 100) }),
        call('sent', 'agent', { model: 'unknown', token_usage: usage(5), cost: 0.25 }),
        call('unpriced', 'agent', { model: 'unknown', token_usage: usage(5) }),
        call('vectors', 'agent', { kind: 'embedding', model: 'cheap', token_usage: usage(1000) }),
      ],
    })
    // 500 tokens at 100, the cost that was sent, 1,000 tokens at 1.
    expect(trace.cost).toBeCloseTo(0.05 + 0.25 + 0.001, 12)
    expect(trace.cost_source).toBe('computed')
    const query = `?start_date=${encodeURIComponent(trace.created_at)}&model=cheap`
    const { body: costs } = await tenant.project.ok('GET', `${base}/analytics/costs${query}`)
    expect(costs.embedding_cost).toBeCloseTo(0.001, 12)
    const path = `/v1/console/projects/${tenant.projectId}/reprice`
    const { body } = await Api.admin(server.url).ok('POST', path, { start_date: trace.created_at })
    expect(body.changed).toBe(0)
  })

  it('the cost of a trace that the client sent is kept, and spans without a price leave it to the trace', async () => {
    const spans = [{ ...full, cost: 5 }]
    expect(await stored({ cost: 2, spans })).toMatchObject({ cost: 2, cost_source: 'client' })
    const unpriced = [{ name: 'x', model: 'unknown', token_usage: usage(5) }]
    const own = { model: 'cheap', token_usage: usage(1_000_000) }
    expect(await stored({ ...own, spans: unpriced })).toMatchObject({ cost: 1, cost_source: 'computed' })
    expect(await stored({ spans: unpriced })).toMatchObject({ cost: null, cost_source: null })
  })

  it('the cost of any tree of spans, in any order, is the sum of its innermost priced calls', async () => {
    const span = fc.record({
      parent: fc.nat(),
      kind: fc.constantFrom('llm', 'agent', 'chain', 'tool', 'embedding'),
      tokens: fc.option(fc.nat({ max: 1000 })),
      cost: fc.option(fc.nat({ max: 1000 })),
      place: fc.nat(),
    })
    const trees = fc.sample(fc.array(span, { minLength: 1, maxLength: 12 }), { numRuns: 60, seed: 5 })
    const traces = trees.map((tree) => ({
      input: 'i',
      output: 'o',
      spans: tree
        .map(({ parent, kind, tokens, cost, place }, index) => ({
          name: 's',
          kind,
          place,
          span_id: String(index),
          ...(index > 0 && { parent_id: String(parent % index) }),
          ...(tokens !== null && { model: 'cheap', token_usage: usage(tokens) }),
          ...(cost !== null && { cost }),
        }))
        .toSorted((a, b) => a.place - b.place),
    }))
    const expected = trees.map((tree) => {
      const own = tree.map(({ tokens, cost }) => cost ?? (tokens === null ? null : tokens / 1_000_000))
      const hasPricedBelow = (index: number): boolean =>
        tree.some(
          ({ parent }, child) =>
            child > 0 && parent % child === index && (own[child] !== null || hasPricedBelow(child)),
        )
      const counted = own.filter((cost, index) => cost !== null && !hasPricedBelow(index)) as number[]
      return counted.length === 0 ? null : counted.reduce((sum, cost) => sum + cost, 0)
    })
    const { body } = await tenant.project.ok('POST', `${base}/traces/batch`, { traces })
    for (const [index, { trace_id }] of body.results.entries()) {
      const { cost } = await detail(trace_id)
      const wanted = expected[index] as number | null
      if (wanted === null) expect(cost, `trace ${index}`).toBeNull()
      else expect(cost, `trace ${index}`).toBeCloseTo(wanted, 9)
    }
  })
})
