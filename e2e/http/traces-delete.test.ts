import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { expectClose, store } from '../support/known-traces.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'
import {
  awkwardTraces,
  costsOf,
  type KnownTrace,
  metricsOf,
  performanceOf,
  type SentTrace,
  select,
} from '../support/trace-model.ts'

const dayMs = 86_400_000
const admin = ['ingest', 'read', 'write', 'admin']
const period = 'start_date=1960-01-01&end_date=2040-01-01'
const scoreOf = (index: number) => (index % 10 === 0 ? [{ name: 'tone', value: 0.5 }] : [])

/** Expects exactly these traces in every view of the project. */
async function expectViews({ project, projectId }: Tenant, known: readonly KnownTrace[]): Promise<void> {
  const base = `/v1/${projectId}/analytics`
  const get = async (path: string) => (await project.ok('GET', `${base}/${path}`)).body
  const expected = select(known, [])
  const ids = expected.map(({ id }) => id)
  const idsOf = (rows: { trace_id: string }[]) => rows.map(({ trace_id }) => trace_id)
  expect(idsOf(await get('traces?limit=1000'))).toEqual(ids)
  expect(idsOf(await get('export'))).toEqual(ids)
  expectClose(await get(`metrics?${period}`), metricsOf(expected), 'metrics')
  expectClose(await get(`costs?${period}`), costsOf(expected), 'costs')
  expectClose(await get(`performance?${period}`), performanceOf(expected), 'performance')
  const sessions = new Set(expected.map(({ sent }) => sent.session_id).filter((id) => id !== undefined))
  expect(await get('sessions?limit=1000')).toHaveLength(sessions.size)
  const scores = await get('scores')
  const scored = expected.flatMap((trace) => trace.scores)
  expect(scores.scores.map(({ count }: { count: number }) => count)).toEqual(
    scored.length ? [scored.length] : [],
  )
  for (const column of ['model', 'version', 'environment', 'status'] as const) {
    const values = expected.map(({ sent }) => sent[column]).filter((value) => value !== undefined)
    await expectGroups(get, column, values)
  }
  await expectGroups(get, 'tag', [...new Set(expected.flatMap(({ sent }) => sent.tags))])
  await expectGroups(
    get,
    'attr.tier',
    expected.map(({ sent }) => sent.custom_attributes.tier as string),
  )
}

/** Expects one group per value, and no group without a trace. */
async function expectGroups(get: (path: string) => Promise<unknown>, by: string, values: readonly string[]) {
  const { series } = (await get(`timeseries?interval=month&limit=100&group_by=${by}&${period}`)) as {
    series: { group: string; points: { value: number }[] }[]
  }
  expect(series, by).toHaveLength(new Set(values).size)
  for (const { group, points } of series) {
    const traces = points.reduce((sum, { value }) => sum + value, 0)
    expect(traces, `${by} ${group}`).toBeGreaterThan(0)
    const own = values.filter((value) => value === group).length
    if (own > 0 && by !== 'tag') expect(traces, `${by} ${group}`).toBe(own)
  }
}

describe.each(databases)('deletion of traces, on $database', ({ database, env }) => {
  let server: Server
  let second: Server | undefined

  beforeAll(async () => {
    const environment = { ...(await env()), CAIRN_SWEEP_SECONDS: '1' }
    server = await startServer({ env: environment })
    // On PostgreSQL several processes work on one database.
    if (database === 'PostgreSQL') second = await startServer({ env: environment })
  })
  afterAll(async () => {
    await second?.stop()
    await server?.stop()
  })

  const project = () => createTenant(server.url, admin)
  const elsewhere = (tenant: Tenant): Tenant =>
    second ? { ...tenant, project: new Api(second.url, tenant.project.credential) } : tenant

  it('removes one trace, with its scores, from every view', async () => {
    const tenant = await project()
    let left = await store(tenant, awkwardTraces(40), scoreOf)
    await expectViews(tenant, left)
    for (const { id } of left.slice(0, 12)) {
      const path = `/v1/${tenant.projectId}/traces/${id}`
      const { body } = await tenant.project.ok('DELETE', path)
      expect(body).toEqual({ success: true, deleted: 1 })
      expectRefusal(await tenant.project.call('DELETE', path), { status: 404, project: true })
      const detail = await tenant.project.get(`/v1/${tenant.projectId}/analytics/traces/${id}`)
      expectRefusal(detail, { status: 404, project: true })
      expect((await tenant.project.get(`${path}/scores`)).status).toBe(404)
      expect((await tenant.project.post(`${path}/scores`, { name: 'late', value: 1 })).status).toBe(404)
      left = left.filter((trace) => trace.id !== id)
    }
    await expectViews(tenant, left)
  })

  it('and tagging change only the selected traces, in every view', async () => {
    const tenant = await project()
    const base = `/v1/${tenant.projectId}`
    const known = await store(tenant, awkwardTraces(40), scoreOf)
    const chosen = known.slice(3, 30).map(({ id }) => id)
    const tag = async (change: object) =>
      (await tenant.project.ok('POST', `${base}/traces/tags`, { trace_ids: chosen, ...change })).body
    const change = (tags: readonly string[]) => [
      ...new Set([...tags.filter((one) => one !== 'alpha'), 'checked']),
    ]
    const expected = known.map(({ id, sent, scores }) =>
      chosen.includes(id) ? { id, scores, sent: { ...sent, tags: change(sent.tags) } } : { id, sent, scores },
    )
    expect(await tag({ add: ['checked'], remove: ['alpha'] })).toEqual({ changed: chosen.length })
    await expectViews(tenant, expected)
    expect(await tag({ add: ['checked'], remove: ['alpha'] })).toEqual({ changed: 0 })
    const found = await tenant.project.ok('GET', `${base}/analytics/traces?tag=checked&limit=1000`)
    expect(found.body.map(({ trace_id }: { trace_id: string }) => trace_id).sort()).toEqual(chosen.toSorted())
    const unknown = { trace_ids: ['trc_unknown'], add: ['x'] }
    expect((await tenant.project.ok('POST', `${base}/traces/tags`, unknown)).body).toEqual({ changed: 0 })
    expectRefusal(await tenant.project.post(`${base}/traces/tags`, { trace_ids: chosen }), {
      status: 400,
      project: true,
    })
    await tag({ remove: ['checked'] })
    await expectViews(
      tenant,
      expected.map(({ sent, ...trace }) => ({
        ...trace,
        sent: { ...sent, tags: sent.tags.filter((one) => one !== 'checked') },
      })),
    )
    const query = chosen.map((id) => `trace_id=${id}`).join('&')
    const { body } = await tenant.project.ok('DELETE', `${base}/traces?${query}`)
    expect(body).toEqual({ success: true, deleted: chosen.length })
    await expectViews(
      tenant,
      known.filter(({ id }) => !chosen.includes(id)),
    )
  })

  it('leaves no rows after the deletion of all traces', async () => {
    const tenant = await project()
    await store(tenant, awkwardTraces(60), scoreOf)
    const { body } = await tenant.project.ok('DELETE', `/v1/${tenant.projectId}/traces?end_date=2999-01-01`)
    expect(body).toEqual({ success: true, deleted: 60 })
    await expectViews(tenant, [])
    const again = await tenant.project.ok('DELETE', `/v1/${tenant.projectId}/traces?end_date=2999-01-01`)
    expect(again.body).toEqual({ success: true, deleted: 0 })
    const known = await store(tenant, awkwardTraces(20))
    await expectViews(tenant, known)
  })

  it('leaves no rounding error of deleted amounts', async () => {
    const tenant = await project()
    const base = `/v1/${tenant.projectId}`
    const amounts = [0.1, 0.2, 0.3, 0.7]
    const traces = amounts.map((cost) => ({ input: '', output: '', tags: ['gone'], cost, latency_ms: cost }))
    const bare = { input: '', output: '', tags: ['stays'] }
    await tenant.project.ok('POST', `${base}/traces/batch`, { traces: [...traces, bare] })
    await tenant.project.ok('DELETE', `${base}/traces?tag=gone`)
    const { body } = await tenant.project.ok('GET', `${base}/analytics/metrics`)
    expect(body).toMatchObject({ total_queries: 1, total_cost: 0, avg_response_time_ms: 0 })
    const costs = await tenant.project.ok('GET', `${base}/analytics/costs`)
    expect(costs.body).toMatchObject({ total_cost: 0, llm_cost: 0, embedding_cost: 0, reranking_cost: 0 })
  })

  it('by a filter reaches every matching trace, also beyond the first steps', async () => {
    const tenant = await project()
    const base = `/v1/${tenant.projectId}`
    const traces = Array.from({ length: 1000 }, () => ({ input: '', output: '', tags: ['gone'] }))
    await tenant.project.ok('POST', `${base}/traces/batch`, { traces })
    await tenant.project.ok('POST', `${base}/traces`, { input: '', output: '', tags: ['stays'] })
    const { body } = await tenant.project.ok('DELETE', `${base}/traces?tag=gone`)
    expect(body).toEqual({ success: true, deleted: 1000 })
    const left = await tenant.project.ok('GET', `${base}/analytics/traces`)
    expect(left.body).toMatchObject([{ tags: ['stays'] }])
  })

  it('by a filter requires a filter and the permission', async () => {
    const tenant = await project()
    const known = await store(tenant, awkwardTraces(5))
    for (const query of ['', '?', '?q=', '?limit=5', '?color=blue', '?attr']) {
      const answer = await tenant.project.call('DELETE', `/v1/${tenant.projectId}/traces${query}`)
      expectRefusal(answer, { status: 400, project: true, names: 'filter' }, query)
    }
    const other = await createTenant(server.url, ['ingest', 'read', 'write'])
    const path = `/v1/${other.projectId}/traces?status=error`
    expectRefusal(await other.project.call('DELETE', path), { status: 403, project: true })
    const theirs = `/v1/${tenant.projectId}/traces`
    expect((await other.project.call('DELETE', `${theirs}?status=error`)).status).toBe(403)
    expect((await other.project.call('DELETE', `${theirs}/${known[0]?.id}`)).status).toBe(403)
    const foreign = await other.project.call('DELETE', `/v1/${other.projectId}/traces/${known[0]?.id}`)
    expect(foreign.status).toBe(404)
    await expectViews(tenant, known)
  })

  it('by retention deletes only traces after the retention period of the project', {
    timeout: 60_000,
  }, async () => {
    const tenant = await project()
    const untouched = await project()
    const now = Date.now()
    const aged = (days: number, trace: SentTrace) => ({
      ...trace,
      created_at: new Date(now - days * dayMs).toISOString(),
    })
    const traces = awkwardTraces(40).map((trace, i) => aged(i < 20 ? 7.01 + i : 7.19 - i / 100, trace))
    const known = await store(tenant, traces, scoreOf)
    const others = await store(untouched, traces)
    const settings = `/v1/console/projects/${tenant.projectId}`
    await Api.admin(server.url).ok('PATCH', settings, { retention_days: 7 })
    const oldest = `/v1/${tenant.projectId}/analytics/traces?end_date=${new Date(now - 7 * dayMs).toISOString()}`
    await expect
      .poll(async () => (await tenant.project.ok('GET', oldest)).body.length, { timeout: 40_000 })
      .toBe(0)
    await expectViews(tenant, known.slice(20))
    await expectViews(untouched, others)
  })

  it('counts each trace once in concurrent requests', async () => {
    const tenant = await project()
    const known = await store(tenant, awkwardTraces(120))
    const failed = select(known, [['status', 'error']])
    const one = failed[0]?.id
    const calls = Array.from({ length: 8 }, (_, i) => {
      const { project: caller } = i % 2 ? elsewhere(tenant) : tenant
      const path = `/v1/${tenant.projectId}/traces`
      return caller.call('DELETE', i < 4 ? `${path}/${one}` : `${path}?status=error`)
    })
    const answers = await Promise.all(calls)
    for (const { status } of answers) expect([200, 404]).toContain(status)
    const deleted = answers.reduce((sum, { body }) => sum + (body.deleted ?? 0), 0)
    expect(deleted).toBe(failed.length)
    await expectViews(tenant, select(known, [['status', 'success']]))
  })

  it('during writes, in every process, keeps all sums correct', async () => {
    const tenant = await project()
    const peers = [tenant, elsewhere(tenant)]
    const all: KnownTrace[] = []
    const gone = new Set<string>()
    const traces = awkwardTraces(300)
    const writer = async (turn: number) => {
      for (let i = 0; i < 6; i++) {
        const part = traces.slice((turn * 6 + i) * 10, (turn * 6 + i + 1) * 10)
        const known = await store(peers[(turn + i) % 2] as Tenant, part)
        all.push(...known)
        const { project: caller } = peers[(turn + i + 1) % 2] as Tenant
        for (const { id } of known.slice(0, 3)) {
          // Written by one process, and visible in the other at once.
          await caller.ok('GET', `/v1/${tenant.projectId}/analytics/traces/${id}`)
          await caller.ok('DELETE', `/v1/${tenant.projectId}/traces/${id}`)
          gone.add(id)
          const { project: first } = peers[(turn + i) % 2] as Tenant
          const { status } = await first.get(`/v1/${tenant.projectId}/analytics/traces/${id}`)
          expect(status).toBe(404)
        }
      }
    }
    await Promise.all([0, 1, 2, 3, 4].map(writer))
    const left = all.filter(({ id }) => !gone.has(id))
    expect(left).toHaveLength(210)
    for (const peer of peers) await expectViews(peer, left)
  })
})
