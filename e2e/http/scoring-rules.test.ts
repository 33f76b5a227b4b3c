import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { databases, sharedServers } from '../support/databases.ts'
import { store } from '../support/known-traces.ts'
import { expectRefusal } from '../support/refusal.ts'
import { isSampled, ruleAfter, scoresOf, until } from '../support/scoring.ts'
import { startServer } from '../support/server.ts'
import { awkwardTraces, type Parameters, select } from '../support/trace-model.ts'

const rules: [filter: object, rate: number, parameters: Parameters][] = [
  [{}, 1, []],
  [{}, 0.3, []],
  [{}, 0, []],
  [{ status: 'error' }, 1, [['status', 'error']]],
  [
    { model: 'alpha', 'attr.flag': true },
    1,
    [
      ['model', 'alpha'],
      ['attr.flag', 'true'],
    ],
  ],
  [
    { tag: ['alpha', 'beta'] },
    1,
    [
      ['tag', 'alpha'],
      ['tag', 'beta'],
    ],
  ],
  [{ q: 'über' }, 0.7, [['q', 'über']]],
  [{ session_id: 'alpha' }, 1, [['session_id', 'alpha']]],
  [
    { min_latency_ms: 50, min_cost: 0.000001 },
    1,
    [
      ['min_latency_ms', '50'],
      ['min_cost', '0.000001'],
    ],
  ],
  [
    { start_date: '2024-03-10', environment: 'plain' },
    1,
    [
      ['start_date', '2024-03-10'],
      ['environment', 'plain'],
    ],
  ],
]

describe.each(sharedServers)('rules of scorers, on $database', ({ server }) => {
  let tenant: Tenant
  let base: string
  let path: string

  beforeAll(async () => {})
  beforeEach(async () => {
    tenant = await createTenant(server.url)
    base = `/v1/${tenant.projectId}`
    path = `${base}/scorers/rules`
  })

  const make = async (rule: object) =>
    (await tenant.project.ok('POST', path, { name: 'a rule', scorer: 'json-valid', ...rule })).body
  const record = async (trace: object = {}) =>
    (await tenant.project.ok('POST', `${base}/traces`, { input: 'i', output: '{}', ...trace })).body.trace_id

  it('score exactly the traces that filter and sample select, each once', async () => {
    const before = await record()
    const made = []
    for (const [filter, sample_rate] of rules) made.push(await make({ filter, sample_rate }))
    const known = await store(tenant, awkwardTraces(300))
    for (const [index, [filter, rate, parameters]] of rules.entries()) {
      const { rule_id } = made[index]
      const expected = select(known, parameters)
        .filter(({ id }) => isSampled(id, rate))
        .map(({ id }) => id)
      const what = `${JSON.stringify(filter)} at ${rate}`
      const rule = await ruleAfter(tenant, rule_id, expected.length)
      expect(rule, what).toMatchObject({ scored: expected.length, failed: 0, skipped: 0 })
      const given = (await scoresOf(tenant, `source_id=${rule_id}`)).map(({ trace_id }) => trace_id)
      expect(given.sort(), what).toEqual(expected.sort())
      expect(given, what).not.toContain(before)
    }
  }, 60_000)

  it('score single traces, batches, and traces of answers', async () => {
    const { rule_id } = await make({})
    const one = await record()
    const items = [{ input: 'i', output: 'no' }, { input: 'without an output' }, { input: 'i', output: '1' }]
    const { body } = await tenant.project.ok('POST', `${base}/traces/batch`, { traces: items })
    await tenant.chat.ok('POST', `/v1/${tenant.chatId}/answer_question`, { question: 'What is up?' })
    const rule = await ruleAfter(tenant, rule_id, 4)
    expect(rule).toMatchObject({
      scored: 4,
      mean_score: 0.5,
      cost: 0,
      last_error: null,
      last_scored_at: expect.any(String),
    })
    const scores = await scoresOf(tenant)
    const given = {
      name: 'json-valid',
      source: 'rule',
      source_id: rule_id,
      scorer: 'json-valid',
      method: 'local',
    }
    for (const score of scores) expect(score).toMatchObject(given)
    const ids = scores.map(({ trace_id }) => trace_id)
    expect(ids).toEqual(expect.arrayContaining([one, body.results[0].trace_id, body.results[2].trace_id]))
  })

  it('count traces without the expected output that the scorer needs', async () => {
    const { rule_id } = await make({ scorer: 'contains' })
    await record({ metadata: { expected_output: '{' } })
    await record()
    expect(await ruleAfter(tenant, rule_id, 2)).toMatchObject({
      scored: 1,
      skipped: 1,
      failed: 0,
      mean_score: 1,
    })
  })

  it('are created, read, listed, changed and deleted', async () => {
    const first = await make({
      name: ' first ',
      filter: { tag: 'a', nonsense: 1 },
      sample_rate: 0.5,
      enabled: false,
    })
    const stored = {
      rule_id: expect.stringMatching(/^rul_[0-9a-z]{20}$/),
      name: 'first',
      scorer: 'json-valid',
      filter: { tag: 'a' },
      sample_rate: 0.5,
      enabled: false,
      scored: 0,
      failed: 0,
      skipped: 0,
      mean_score: null,
      cost: 0,
      last_scored_at: null,
      last_error: null,
      last_error_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    }
    expect(first).toEqual(stored)
    const second = await make({ name: 'second' })
    expect((await tenant.project.ok('GET', path)).body).toEqual([second, first])
    const at = `${path}/${first.rule_id}`
    const changed = (await tenant.project.ok('PATCH', at, { enabled: true, filter: {} })).body
    expect(changed).toEqual({ ...stored, enabled: true, filter: {} })
    expect((await tenant.project.ok('GET', at)).body).toEqual(changed)
    expect((await tenant.project.ok('PATCH', at, {})).body).toMatchObject({ name: 'first', enabled: true })
    await tenant.project.ok('DELETE', at)
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { name: 'x' }]] as const) {
      const gone = await tenant.project.call(method, at, body ? { body } : {})
      expectRefusal(gone, { status: 404, project: true, names: 'rule not found' })
    }
    const other = await createTenant(server.url)
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { enabled: false }]] as const) {
      const theirs = `/v1/${other.projectId}/scorers/rules/${second.rule_id}`
      const answer = await other.project.call(method, theirs, body ? { body } : {})
      expectRefusal(answer, { status: 404, project: true, names: 'rule not found' })
    }
    expect((await tenant.project.ok('GET', `${path}/${second.rule_id}`)).body).toEqual(second)
  })

  it('stop at once when they are disabled or deleted, and drop waiting traces', async () => {
    const [off, gone, on] = [await make({}), await make({}), await make({})]
    const many = Array.from({ length: 500 }, () => ({ input: 'i', output: '{}' }))
    await tenant.project.ok('POST', `${base}/traces/batch`, { traces: many })
    await tenant.project.ok('PATCH', `${path}/${off.rule_id}`, { enabled: false })
    await tenant.project.ok('DELETE', `${path}/${gone.rule_id}`)
    const counts = async () =>
      Promise.all(
        [off, gone].map(async ({ rule_id }) => (await scoresOf(tenant, `source_id=${rule_id}`)).length),
      )
    const then = await counts()
    expect(await ruleAfter(tenant, on.rule_id, 500)).toMatchObject({ scored: 500 })
    await record()
    expect(await ruleAfter(tenant, on.rule_id, 501)).toMatchObject({ scored: 501 })
    expect(await counts()).toEqual(then)
    expect(Math.max(...then)).toBeLessThan(500)
    await tenant.project.ok('PATCH', `${path}/${off.rule_id}`, { enabled: true })
    await record()
    await ruleAfter(tenant, on.rule_id, 502)
    await ruleAfter(tenant, off.rule_id, (then[0] ?? 0) + 1)
    expect(await counts()).toEqual([(then[0] ?? 0) + 1, then[1]])
  })

  it('are rejected with an unknown scorer or an invalid filter', async () => {
    const wrong: [object, number, string][] = [
      [{ scorer: 'nope' }, 404, 'scorer'],
      [{ filter: { 'score.tone>=': 0.5 } }, 400, 'scores'],
      [{ filter: { 'attr.x': {} } }, 400, 'filter.attr.x'],
      [{ filter: { start_date: '2024-02-02', end_date: '2024-02-01' } }, 400, 'start_date'],
    ]
    for (const [body, status, names] of wrong) {
      const answer = await tenant.project.post(path, { name: 'a', scorer: 'json-valid', ...body })
      expectRefusal(answer, { status, project: true, names })
    }
    expect((await tenant.project.ok('GET', path)).body).toEqual([])
  })
})

describe.each(databases)('a rule and kill -9, on $database', ({ env }) => {
  it('scores every acknowledged trace, and none twice', { timeout: 180_000 }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'cairn-rules-'))
    const environment = await env()
    let server = await startServer({ dataDir, env: environment })
    try {
      const tenant = await createTenant(server.url)
      const base = `/v1/${tenant.projectId}`
      const rule = { name: 'all', scorer: 'json-valid' }
      const { rule_id } = (await tenant.project.ok('POST', `${base}/scorers/rules`, rule)).body
      const acknowledged: string[] = []
      for (const writes of [60, 160]) {
        const writer = new Api(server.url, tenant.project.credential)
        const write = async (send: () => Promise<string[]>) => {
          try {
            for (;;) acknowledged.push(...(await send()))
          } catch {
            // The server was killed.
          }
        }
        const trace = { input: 'i', output: '{}' }
        const one = async () => [(await writer.ok('POST', `${base}/traces`, trace)).body.trace_id]
        const some = async () => {
          const { body } = await writer.ok('POST', `${base}/traces/batch`, { traces: Array(25).fill(trace) })
          return body.results.map(({ trace_id }: { trace_id: string }) => trace_id)
        }
        const writing = Promise.all([write(one), write(one), write(some)])
        await until(
          async () => acknowledged.length,
          (count) => count >= writes,
        )
        await server.kill()
        await writing
        server = await startServer({ dataDir, env: environment })
      }
      expect(acknowledged.length).toBeGreaterThan(100)
      const moved: Tenant = { ...tenant, project: new Api(server.url, tenant.project.credential) }
      // Traces that were written, but not acknowledged, are scored as well.
      const total = (await moved.project.ok('GET', `${base}/analytics/metrics`)).body.total_queries
      expect(total).toBeGreaterThanOrEqual(acknowledged.length)
      const last = await ruleAfter(moved, rule_id, total)
      expect(last).toMatchObject({ scored: total, failed: 0 })
      const ids = (await scoresOf(moved)).map(({ trace_id }) => trace_id)
      expect(ids).toHaveLength(total)
      expect(new Set(ids).size).toBe(total)
      const scored = new Set(ids)
      expect(acknowledged.filter((id) => !scored.has(id))).toEqual([])
      await until(
        async () => (await scoresOf(moved)).length,
        (count) => count === total,
      )
      expect(await server.stop()).toBe(0)
    } finally {
      await server.kill()
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
