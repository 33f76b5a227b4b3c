import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Api, createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { allPages } from '../support/known-traces.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'

const permissions = ['ingest', 'read', 'write', 'admin']

/** Traces with many unique tags, so that each tag writes its own rows. */
function tagged(traces: number, tags: number): { input: string; output: string; tags: string[] }[] {
  return Array.from({ length: traces }, (_, i) => ({
    input: `trace ${i}`,
    output: 'x',
    tags: Array.from({ length: tags }, (_, k) => `t${i}-${k}`),
  }))
}

async function countOf({ project, projectId }: Tenant, filter = ''): Promise<number> {
  const { body } = await project.ok('GET', `/v1/${projectId}/analytics/metrics?${filter}`)
  return body.total_queries
}

/** Resolves when a part of the batch can be read while its request is still in progress. */
async function untilBegun(tenant: Tenant): Promise<void> {
  while ((await countOf(tenant)) === 0) await pause(5)
}

const pathOf = ({ projectId }: Tenant) => `/v1/${projectId}/traces/batch`

describe.each(databases)('a large batch, on $database', ({ env }) => {
  let server: Server
  let environment: Record<string, string>
  let dataDir: string

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cairn-batches-'))
    environment = await env()
    server = await startServer({ env: environment, dataDir })
  })
  afterAll(async () => {
    await server?.stop()
    await rm(dataDir, { recursive: true, force: true })
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  it('with too many labels is rejected with the name of the limit, and nothing is stored', async () => {
    const tenant = await createTenant(server.url, permissions)
    const answer = await tenant.project.post(pathOf(tenant), { traces: tagged(900, 60) })
    expectRefusal(answer, { status: 400, project: true, names: 'CAIRN_MAX_BATCH_LABELS' })
    expect(await countOf(tenant)).toBe(0)
  })

  it('of usual traces is stored and counted exactly, up to the limit of labels', async () => {
    const tenant = await createTenant(server.url, permissions)
    const attributes = (i: number) =>
      Object.fromEntries(Array.from({ length: 40 }, (_, k) => [`attribute ${k}`, (i * k) % 50]))
    const traces = Array.from({ length: 1000 }, (_, i) => ({
      input: `trace ${i}`,
      output: 'x',
      cost: 1,
      latency_ms: i,
      tags: Array.from({ length: 10 }, (_, k) => `tag ${(i + k) % 20}`),
      custom_attributes: attributes(i),
      created_at: new Date(Date.now() - i * 60_000).toISOString(),
    }))
    const { body } = await tenant.project.ok('POST', pathOf(tenant), { traces })
    expect(body).toMatchObject({ created: 1000, failed: 0 })
    const base = `/v1/${tenant.projectId}/analytics`
    const metrics = await tenant.project.ok('GET', `${base}/metrics?tag=tag+7`)
    expect(metrics.body).toMatchObject({ total_queries: 500, total_cost: 500 })
    expect(await countOf(tenant)).toBe(1000)
    expect(await countOf(tenant, 'attr.attribute+3=6')).toBe(20)
    for (const i of [0, 500, 999]) {
      const trace = await tenant.project.ok('GET', `${base}/traces/${body.results[i].trace_id}`)
      expect(trace.body).toMatchObject(traces[i] as object)
    }
  })

  it('does not delay traces of other projects until its end', async () => {
    const [large, other] = await Promise.all([
      createTenant(server.url, permissions),
      createTenant(server.url, permissions),
    ])
    let isDone = false
    const batch = large.project.post(pathOf(large), { traces: tagged(1000, 30) }).then((answer) => {
      isDone = true
      return answer
    })
    await untilBegun(large)
    for (let i = 0; i < 3; i++) {
      await other.project.ok('POST', `/v1/${other.projectId}/traces`, { input: `${i}`, output: 'x' })
    }
    expect(await countOf(other)).toBe(3)
    expect(isDone, 'the batch was done before the traces of others').toBe(false)
    expect((await batch).body).toMatchObject({ created: 1000, failed: 0 })
    expect(await countOf(large)).toBe(1000)
  })

  it('gets a 404 if its project is deleted meanwhile', async () => {
    const tenant = await createTenant(server.url, permissions)
    const batch = tenant.project.post(pathOf(tenant), { traces: tagged(1000, 30) })
    await untilBegun(tenant)
    await Api.admin(server.url).ok('DELETE', `/v1/console/projects/${tenant.projectId}`)
    expectRefusal(await batch, { status: 404, project: true })
  })

  it('that a kill interrupts is completed with the same key: each trace once, each sum exact', async () => {
    const tenant = await createTenant(server.url, permissions)
    const headers = { 'idempotency-key': 'large' }
    const body = { traces: tagged(1000, 30) }
    const lost = tenant.project.call('POST', pathOf(tenant), { body, headers }).catch(() => 'lost')
    await untilBegun(tenant)
    await server.kill()
    expect(await lost).toBe('lost')
    server = await startServer({ env: environment, dataDir })
    const moved = { ...tenant, project: new Api(server.url, tenant.project.credential) }
    const left = await countOf(moved)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(1000)

    const send = () => moved.project.call('POST', pathOf(moved), { body, headers })
    const answers = await Promise.all([send(), send(), send()])
    for (const answer of answers) {
      expect(answer.status, answer.text).toBe(201)
      expect(answer.text).toBe(answers[0]?.text)
    }
    expect(answers[0]?.body).toMatchObject({ created: 1000, failed: 0 })
    const rows = await allPages(moved, `/v1/${moved.projectId}/analytics/traces?limit=1000`)
    const results: { trace_id: string }[] = answers[0]?.body.results
    const promised = results.map(({ trace_id }) => trace_id)
    expect(rows.map(({ trace_id }) => trace_id).toSorted()).toEqual(promised.toSorted())
    const inputs = new Map(rows.map(({ trace_id, input }) => [trace_id, input]))
    expect(promised.map((id) => inputs.get(id))).toEqual(body.traces.map(({ input }) => input))
    expect(await countOf(moved)).toBe(1000)
    for (const i of [0, left - 1, left, 999]) expect(await countOf(moved, `tag=t${i}-29`)).toBe(1)
    const other = { traces: tagged(1, 1) }
    const conflict = await moved.project.call('POST', pathOf(moved), { body: other, headers })
    expectRefusal(conflict, { status: 409, project: true, names: 'Idempotency-Key' })
  })

  it('can be deleted by a filter during writes of other projects', async () => {
    const [large, other] = await Promise.all([
      createTenant(server.url, permissions),
      createTenant(server.url, permissions),
    ])
    const traces = tagged(300, 40).map((trace) => ({ ...trace, version: '1' }))
    await large.project.ok('POST', pathOf(large), { traces })
    let ended: Answer | undefined
    const deletion = large.project
      .call('DELETE', `/v1/${large.projectId}/traces?version=1`)
      .then((answer) => {
        ended = answer
        return answer
      })
    while (!ended && (await countOf(large)) === 300) await pause(5)
    await other.project.ok('POST', `/v1/${other.projectId}/traces`, { input: 'x', output: 'x' })
    expect(ended?.text, 'the deletion was done before the trace of others').toBeUndefined()
    expect((await deletion).body).toEqual({ success: true, deleted: 300 })
    expect(await countOf(large)).toBe(0)
  })
})
