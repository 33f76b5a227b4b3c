import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { runCommand } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { allPages, store } from '../support/known-traces.ts'
import { expectRefusal } from '../support/refusal.ts'
import { ended, isSampled, scoresOf, scoreTraces, until } from '../support/scoring.ts'
import { type Server, startServer } from '../support/server.ts'
import { awkwardTraces, type KnownTrace, type Parameters, select } from '../support/trace-model.ts'

const traces = awkwardTraces(300)

/** Filters in a body, and the same filters in the query of the list of traces. */
const filters: [name: string, body: object, parameters: Parameters][] = [
  ['none', {}, []],
  ['status', { status: 'error' }, [['status', 'error']]],
  ['an awkward model', { model: 'back\\slash' }, [['model', 'back\\slash']]],
  ['model', { model: 'alpha' }, [['model', 'alpha']]],
  ['one tag', { tag: 'alpha' }, [['tag', 'alpha']]],
  [
    'two tags',
    { tag: ['alpha', 'beta'] },
    [
      ['tag', 'alpha'],
      ['tag', 'beta'],
    ],
  ],
  ['session', { session_id: 'beta' }, [['session_id', 'beta']]],
  ['user', { user_id: 'plain' }, [['user_id', 'plain']]],
  ['version', { version: 'alpha' }, [['version', 'alpha']]],
  ['environment', { environment: 'alpha' }, [['environment', 'alpha']]],
  [
    'latency',
    { min_latency_ms: 0.25, max_latency_ms: 100 },
    [
      ['min_latency_ms', '0.25'],
      ['max_latency_ms', '100'],
    ],
  ],
  ['cost', { min_cost: 0.5 }, [['min_cost', '0.5']]],
  ['largest cost', { max_cost: 0.5 }, [['max_cost', '0.5']]],
  ['text', { q: 'ÜBER' }, [['q', 'ÜBER']]],
  ['attribute', { 'attr.tier': 'alpha' }, [['attr.tier', 'alpha']]],
  ['number', { 'attr.n': 1.5 }, [['attr.n', '1.5']]],
  ['boolean', { 'attr.flag': true }, [['attr.flag', 'true']]],
  ['nested', { 'attr.nested.deep.tier': 'beta' }, [['attr.nested.deep.tier', 'beta']]],
  [
    'period',
    { start_date: '2024-03-05', end_date: '2024-03-20T12:00:00Z' },
    [
      ['start_date', '2024-03-05'],
      ['end_date', '2024-03-20T12:00:00Z'],
    ],
  ],
  [
    'several',
    { status: 'success', 'attr.flag': false, q: 'e' },
    [
      ['status', 'success'],
      ['attr.flag', 'false'],
      ['q', 'e'],
    ],
  ],
  ['null counts as absent', { status: 'error', model: null }, [['status', 'error']]],
  ['nothing meets it', { tag: 'no such tag' }, [['tag', 'no such tag']]],
]

describe.each(databases)('batches of scorers, on $database', ({ env }) => {
  let server: Server
  let environment: Record<string, string>
  let tenant: Tenant
  let base: string

  beforeAll(async () => {
    environment = await env()
    server = await startServer({ env: environment })
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url, ['ingest', 'read', 'write', 'admin'])
    base = `/v1/${tenant.projectId}`
  })
  afterAll(async () => {
    await server?.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  it('score exactly the traces that the filter and the sample select', async () => {
    const known = await store(tenant, traces)
    const rates = [1, 0.5, 0.1, 0]
    for (const [index, [name, filter, parameters]] of filters.entries()) {
      const rate = rates[index % rates.length] as number
      for (const sample_rate of new Set([1, rate])) {
        const done = await scoreTraces(tenant, 'toxicity', { filter, sample_rate, overwrite: true })
        const expected = select(known, parameters).filter(({ id }) => isSampled(id, sample_rate))
        const what = `${name} at ${sample_rate}`
        expect(done, what).toMatchObject({
          state: 'completed',
          total: expected.length,
          done: expected.length,
          failed: 0,
          skipped: 0,
        })
        const scores = await scoresOf(tenant, `source_id=${done.scoring_id}`)
        expect(scores.map(({ trace_id }) => trace_id).sort(), what).toEqual(
          expected.map(({ id }) => id).sort(),
        )
        const mean = scores.reduce((sum, { value }) => sum + value, 0) / scores.length
        if (expected.length > 0) expect(done.mean_score, what).toBeCloseTo(mean, 9)
        else expect(done.mean_score, what).toBeNull()
      }
    }
  }, 120_000)

  it('give the same scores as a single request, store their origin, and skip scored traces', async () => {
    const outputs = ['{"a":1}', 'no json', '[1,2]']
    const known: string[] = []
    for (const output of outputs) {
      known.push((await tenant.project.ok('POST', `${base}/traces`, { input: 'i', output })).body.trace_id)
    }
    await tenant.project.ok('POST', `${base}/traces/${known[0]}/scores`, { name: 'json-valid', value: 0.5 })
    await tenant.project.ok('POST', `${base}/score-with-judge`, {
      scorer_slug: 'json-valid',
      trace_id: known[2],
    })
    const first = await scoreTraces(tenant, 'json-valid')
    expect(first).toEqual({
      scoring_id: expect.stringMatching(/^scg_[0-9a-z]{20}$/),
      scorer: 'json-valid',
      state: 'completed',
      filter: {},
      sample_rate: 1,
      limit: null,
      overwrite: false,
      total: 3,
      done: 2,
      failed: 0,
      skipped: 1,
      skipped_reasons: { already_scored: 1, no_expected_output: 0, deleted: 0 },
      mean_score: 0.5,
      cost: 0,
      error: null,
      created_at: expect.any(String),
      completed_at: expect.any(String),
    })
    const { scores } = (await tenant.project.ok('GET', `${base}/analytics/traces/${known[0]}`)).body
    const given = { source: 'batch', source_id: first.scoring_id, scorer: 'json-valid', method: 'local' }
    expect(scores).toMatchObject([
      { name: 'json-valid', value: 1, ...given },
      { name: 'json-valid', value: 0.5, source: 'human' },
    ])
    const { body: single } = await tenant.project.ok('POST', `${base}/score-with-judge`, {
      scorer_slug: 'json-valid',
      output: outputs[1],
    })
    const [second] = (await tenant.project.ok('GET', `${base}/traces/${known[1]}/scores`)).body
    expect(second).toMatchObject({ value: single.score, comment: single.reasoning })
    const again = await scoreTraces(tenant, 'json-valid')
    expect(again).toMatchObject({ total: 3, done: 0, skipped: 3 })
    const over = await scoreTraces(tenant, 'json-valid', { overwrite: true })
    expect(over).toMatchObject({ total: 3, done: 3, skipped: 0 })
    const history = (await tenant.project.ok('GET', `${base}/traces/${known[2]}/scores`)).body
    expect(history.map(({ source }: { source: string }) => source)).toEqual(['batch', 'judge'])
  })

  it('score the newest traces up to the limit', async () => {
    const known = await store(tenant, traces)
    const done = await scoreTraces(tenant, 'json-valid', { limit: 7, sample_rate: 0.5 })
    expect(done).toMatchObject({ total: 7, done: 7, limit: 7 })
    const newest = select(known, [])
      .filter(({ id }) => isSampled(id, 0.5))
      .slice(0, 7)
    const scores = await scoresOf(tenant)
    expect(scores.map(({ trace_id }) => trace_id).sort()).toEqual(newest.map(({ id }) => id).sort())
  })

  it('use the expected_output of the trace, and count traces without one', async () => {
    const record = async (trace: object) =>
      (await tenant.project.ok('POST', `${base}/traces`, { input: 'i', output: '12', ...trace })).body
        .trace_id
    const right = await record({
      custom_attributes: { expected_output: '12' },
      metadata: { expected_output: 'x' },
    })
    const wrong = await record({ metadata: { expected_output: '13' } })
    const number = await record({ custom_attributes: { expected_output: 12 } })
    await record({})
    await record({ metadata: { expected_output: { not: 'a text' } } })
    const done = await scoreTraces(tenant, 'exact-match')
    expect(done).toMatchObject({ total: 5, done: 3, failed: 0, skipped: 2 })
    expect(done.skipped_reasons).toEqual({ already_scored: 0, no_expected_output: 2, deleted: 0 })
    const values = new Map((await scoresOf(tenant)).map(({ trace_id, value }) => [trace_id, value]))
    expect([right, wrong, number].map((id) => values.get(id))).toEqual([1, 0, 1])
    const one = await tenant.project.ok('POST', `${base}/score-with-judge`, {
      scorer_slug: 'exact-match',
      trace_id: right,
    })
    expect(one.body.score).toBe(1)
  })

  it('can be listed, by scorer and state, in pages', async () => {
    const made: string[] = []
    for (const slug of ['toxicity', 'json-valid', 'toxicity', 'toxicity', 'json-valid']) {
      made.push((await scoreTraces(tenant, slug)).scoring_id)
    }
    const path = `${base}/scorers/runs`
    const ids = (rows: { scoring_id: string }[]) => rows.map(({ scoring_id }) => scoring_id)
    expect(ids(await allPages(tenant, `${path}?limit=2`))).toEqual(made.toReversed())
    expect(ids((await tenant.project.ok('GET', `${path}?scorer=json-valid`)).body)).toEqual([
      made[4],
      made[1],
    ])
    expect((await tenant.project.ok('GET', `${path}?state=running`)).body).toEqual([])
    expect((await tenant.project.ok('GET', `${path}?state=completed`)).body).toHaveLength(5)
    for (const query of ['state=done', 'limit=0', 'cursor=x']) {
      expectRefusal(await tenant.project.get(`${path}?${query}`), {
        status: 400,
        project: true,
        names: query.split('=')[0] as string,
      })
    }
  })

  it('end when they are cancelled, and store no further scores', async () => {
    const long = 'not 12 and 13 or words '.repeat(800)
    const slow = Array.from({ length: 400 }, () => ({
      input: long,
      output: long,
      metadata: { expected_output: long },
    }))
    for (let from = 0; from < 400; from += 100) {
      await tenant.project.ok('POST', `${base}/traces/batch`, { traces: slow.slice(from, from + 100) })
    }
    const { scoring_id } = (await tenant.project.ok('POST', `${base}/scorers/correctness/run`, {})).body
    const path = `${base}/scorers/runs/${scoring_id}`
    await until(
      async () => (await tenant.project.ok('GET', path)).body,
      ({ total }) => total !== null,
    )
    const cancelled = (await tenant.project.ok('POST', `${path}/cancel`)).body
    expect(cancelled).toMatchObject({ state: 'cancelled', completed_at: expect.any(String) })
    const count = (await scoresOf(tenant)).length
    expect(count).toBe(cancelled.done)
    expect(count).toBeLessThan(400)
    await pause(1500)
    expect(await scoresOf(tenant)).toHaveLength(count)
    expect((await tenant.project.ok('POST', `${path}/cancel`)).body).toEqual(cancelled)
    expect((await tenant.project.ok('GET', path)).body).toEqual(cancelled)
  }, 60_000)

  it('store no scores of traces that are deleted meanwhile', async () => {
    const many = Array.from({ length: 500 }, (_, i) => ({
      input: `i ${i}`,
      output: 'o',
      tags: [i % 2 ? 'odd' : 'even'],
    }))
    await tenant.project.ok('POST', `${base}/traces/batch`, { traces: many })
    const { scoring_id } = (await tenant.project.ok('POST', `${base}/scorers/relevance/run`, {})).body
    const [{ body }] = await Promise.all([
      tenant.project.ok('DELETE', `${base}/traces?tag=odd`),
      tenant.project.ok('DELETE', `${base}/traces?q=i+4`),
    ])
    expect(body.deleted).toBeGreaterThan(150)
    const done = await ended(tenant, scoring_id)
    expect(done).toMatchObject({ state: 'completed', failed: 0 })
    expect(done.done + done.skipped).toBe(done.total)
    const left = await allPages(tenant, `${base}/analytics/traces?limit=700`)
    const there = new Set(left.map(({ trace_id }) => trace_id))
    const scored = (await scoresOf(tenant)).map(({ trace_id }) => trace_id)
    expect(new Set(scored)).toEqual(there)
    expect(scored).toHaveLength(there.size)
    const place = { dataDir: server.dataDir, env: environment, remove: async () => {} }
    expect(await runCommand(place, ['doctor'])).toMatchObject({ code: 0 })
  })

  it('accept every filter of the list, and reject the same invalid filters', async () => {
    const path = `${base}/scorers/json-valid/run`
    const wrong: [object, string][] = [
      [{ filter: { 'attr.': 'x' } }, 'attr.'],
      [{ filter: { 'attr.x': { a: 1 } } }, 'filter.attr.x'],
      [{ filter: { 'attr.x': [['a']] } }, 'filter.attr.x'],
      [{ filter: { 'score.tone': 'high' } }, 'score.'],
      [{ filter: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`attr.a${i}`, 'x'])) }, 'attr.'],
      [{ filter: { model: 'x'.repeat(30_000) } }, 'filter'],
      [{ filter: [] }, 'filter'],
      [{ filter: 'status=error' }, 'filter'],
      [{ filter: { min_latency_ms: 2, max_latency_ms: 1 } }, 'min_latency_ms'],
    ]
    for (const [body, names] of wrong) {
      expectRefusal(
        await tenant.project.post(path, body),
        { status: 400, project: true, names },
        JSON.stringify(body),
      )
    }
    expectRefusal(await tenant.project.post(`${base}/scorers/nope/run`, {}), {
      status: 404,
      project: true,
      names: 'scorer',
    })
    await tenant.project.ok('POST', `${base}/scorers`, {
      slug: 'own',
      prompt: '{{output}}',
      choices: { a: 1, b: 0 },
    })
    const without = await tenant.project.post(`${base}/scorers/own/run`, {})
    expectRefusal(without, { status: 400, project: true, names: 'no model provider is configured' })
    for (const slug of ['runs', 'rules']) {
      const own = { slug, prompt: '{{output}}', choices: { a: 1, b: 0 } }
      expectRefusal(await tenant.project.post(`${base}/scorers`, own), {
        status: 409,
        project: true,
        names: slug,
      })
    }
    expect((await tenant.project.ok('GET', `${base}/scorers/runs`)).body).toEqual([])
    const kept = await scoreTraces(tenant, 'json-valid', { filter: { tag: 'a', unknown: 1 } })
    expect(kept.filter).toEqual({ tag: 'a' })
  })

  it('are limited to their project', async () => {
    const other = await createTenant(server.url)
    await tenant.project.ok('POST', `${base}/traces`, { input: 'i', output: 'o' })
    await other.project.ok('POST', `/v1/${other.projectId}/traces`, { input: 'i', output: 'o' })
    const mine = await scoreTraces(tenant, 'json-valid')
    expect(mine.total).toBe(1)
    expect(await scoresOf(other)).toEqual([])
    const theirs = `/v1/${other.projectId}/scorers/runs/${mine.scoring_id}`
    for (const path of [theirs, `${theirs}/failures`]) {
      expectRefusal(await other.project.get(path), { status: 404, project: true, names: 'scoring not found' })
    }
    expectRefusal(await other.project.post(`${theirs}/cancel`), {
      status: 404,
      project: true,
      names: 'scoring not found',
    })
  })
})

describe.each(databases)('a batch of a scorer and kill -9, on $database', ({ env }) => {
  it('continues after its last step, and scores each trace once', { timeout: 180_000 }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'cairn-scoring-'))
    const environment = { ...(await env()), CAIRN_JOB_LEASE_SECONDS: '2' }
    let server = await startServer({ dataDir, env: environment })
    try {
      const tenant = await createTenant(server.url)
      const base = `/v1/${tenant.projectId}`
      const count = 500
      const words = 'There are not 12 of them, and 13 in the other one. '.repeat(20)
      const known: KnownTrace['id'][] = []
      for (let from = 0; from < count; from += 250) {
        const traces = Array.from({ length: 250 }, (_, i) => ({
          input: words,
          output: `${words}${from + i}`,
          metadata: { expected_output: words },
        }))
        const { body } = await tenant.project.ok('POST', `${base}/traces/batch`, { traces })
        known.push(...body.results.map(({ trace_id }: { trace_id: string }) => trace_id))
      }
      const { scoring_id } = (await tenant.project.ok('POST', `${base}/scorers/correctness/run`, {})).body
      const limited = { limit: 350 }
      const few = (await tenant.project.ok('POST', `${base}/scorers/faithfulness/run`, limited)).body
      let kills = 0
      const moved = (): Tenant => ({ ...tenant, project: new Api(server.url, tenant.project.credential) })
      const look = async () => (await moved().project.ok('GET', `${base}/scorers/runs/${scoring_id}`)).body
      for (const reached of [100, 300]) {
        const at = await until(look, ({ done, state }) => done >= reached || state !== 'running', 90)
        if (at.state !== 'running') break
        await server.kill()
        kills += 1
        server = await startServer({ dataDir, env: environment })
      }
      expect(kills).toBeGreaterThan(0)
      const done = await ended(moved(), scoring_id, 120)
      expect(done).toMatchObject({ state: 'completed', total: count, done: count, failed: 0, skipped: 0 })
      const scores = await scoresOf(moved(), 'name=correctness')
      expect(scores.map(({ trace_id }) => trace_id).sort()).toEqual(known.sort())
      // The newest traces, and no more than the limit.
      expect(await ended(moved(), few.scoring_id, 120)).toMatchObject({
        state: 'completed',
        total: 350,
        done: 350,
      })
      const ofFew = await scoresOf(moved(), 'name=faithfulness')
      expect(ofFew.map(({ trace_id }) => trace_id).sort()).toEqual(known.slice(-350).sort())
      const mean = scores.reduce((sum, { value }) => sum + value, 0) / scores.length
      expect(done.mean_score).toBeCloseTo(mean, 9)
      expect(await server.stop()).toBe(0)
    } finally {
      await server.kill()
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
