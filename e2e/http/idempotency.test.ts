import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'
import { tamper } from '../support/tamper.ts'

const trace = { input: 'once', output: 'only', cost: 1, tags: ['a'] }

describe.each(databases)('an Idempotency-Key, on $database', ({ env }) => {
  let server: Server
  let environment: Record<string, string>
  let dataDir: string
  let tenant: Tenant
  let base: string

  beforeAll(async () => {
    environment = await env()
    dataDir = await mkdtemp(join(tmpdir(), 'cairn-idempotency-'))
    server = await startServer({ env: environment, dataDir })
    tenant = await createTenant(server.url)
    base = `/v1/${tenant.projectId}`
  })
  afterAll(async () => {
    await server?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const send = (key: string, body: unknown = trace, path = `${base}/traces`, caller = tenant) =>
    caller.project.call('POST', path, { body, headers: { 'idempotency-key': key } })
  const batch = (...traces: unknown[]) => ({ traces })
  async function count(caller = tenant): Promise<number> {
    const { body } = await caller.project.ok('GET', `/v1/${caller.projectId}/analytics/traces?limit=1000`)
    const metrics = await caller.project.ok('GET', `/v1/${caller.projectId}/analytics/metrics`)
    expect(metrics.body.total_queries).toBe(body.length)
    return body.length
  }

  it('returns the first response again for the same body, and writes one trace', async () => {
    const before = await count()
    const first = await send('again')
    expect(first.status).toBe(201)
    for (let i = 0; i < 3; i++) {
      const { status, body } = await send('again')
      expect({ status, body }).toEqual({ status: 201, body: first.body })
    }
    expect(await count()).toBe(before + 1)
    expect((await send('another')).body.trace_id).not.toBe(first.body.trace_id)
    expect(await count()).toBe(before + 2)
  })

  it('is rejected with another body, and nothing is stored', async () => {
    await send('conflict')
    const before = await count()
    for (const body of [
      { ...trace, input: 'other' },
      { ...trace, metadata: { a: 1 } },
      { ...trace, cost: 2 },
    ]) {
      expectRefusal(await send('conflict', body), { status: 409, project: true, names: 'Idempotency-Key' })
    }
    expect(await count()).toBe(before)
    expect((await send('conflict')).status).toBe(201)
  })

  it('writes one trace for many concurrent requests', async () => {
    const before = await count()
    const answers = await Promise.all(Array.from({ length: 30 }, () => send('at once')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await count()).toBe(before + 1)
    const [first] = answers
    await tenant.project.ok('GET', `${base}/analytics/traces/${first?.body.trace_id}`)
  })

  it('accepts only one of several concurrent bodies', async () => {
    const before = await count()
    const bodies = Array.from({ length: 20 }, (_, i) => ({ ...trace, input: `${i % 4}` }))
    const answers = await Promise.all(bodies.map((body) => send('race', body)))
    const stored = answers.filter(({ status }) => status === 201)
    expect(stored).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(15)
    expect(new Set(stored.map(({ body }) => body.trace_id)).size).toBe(1)
    expect(await count()).toBe(before + 1)
  })

  it('does not affect concurrent requests without it', async () => {
    const before = await count()
    const sends = Array.from({ length: 40 }, (_, i) =>
      i % 2 ? send('crowd') : tenant.project.post(`${base}/traces`, { ...trace, input: `beside ${i}` }),
    )
    const answers = await Promise.all(sends)
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    expect(new Set(answers.map(({ body }) => body.trace_id)).size).toBe(21)
    expect(await count()).toBe(before + 21)
  })

  it('covers a whole batch, including invalid items', async () => {
    const before = await count()
    const path = `${base}/traces/batch`
    const body = batch(trace, { output: 'no input' }, trace)
    const first = await send('batch', body, path)
    expect(first.body).toMatchObject({ created: 2, failed: 1 })
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('batch', body, path)))
    for (const answer of answers) expect(answer.body).toEqual(first.body)
    expect(await count()).toBe(before + 2)
    expectRefusal(await send('batch', batch(trace), path), { status: 409, project: true })
    expect(await count()).toBe(before + 2)
  })

  it('is independent per endpoint and project', async () => {
    const other = await createTenant(server.url)
    const single = await send('shared')
    const many = await send('shared', batch({ ...trace, input: 'x' }), `${base}/traces/batch`)
    const theirs = await send('shared', { ...trace, input: 'y' }, `/v1/${other.projectId}/traces`, other)
    const ids = [single.body.trace_id, many.body.results[0].trace_id, theirs.body.trace_id]
    expect(new Set(ids).size).toBe(3)
    expect(await count(other)).toBe(1)
  })

  it('is not consumed by a rejected request', async () => {
    expect((await send('refused', { output: 'no input' })).status).toBe(400)
    expect((await send('refused')).status).toBe(201)
    const path = `${base}/traces/batch`
    expect((await send('refused', batch({}), path)).status).toBe(400)
    expect((await send('refused', batch(trace), path)).status).toBe(201)
  })

  it.each([
    ['blank', ' '],
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['beyond ASCII', 'k\u00fc'],
    ['with a tab inside', 'a\tb'],
  ])('that is %s is rejected, and nothing is stored', async (_what, key) => {
    const before = await count()
    for (const [path, body] of [
      [`${base}/traces`, trace],
      [`${base}/traces/batch`, batch(trace)],
    ] as const) {
      expectRefusal(await send(key, body, path), { status: 400, project: true, names: 'Idempotency-Key' })
    }
    expect(await count()).toBe(before)
  })

  it('of 255 printable characters is accepted', async () => {
    for (const key of ['k'.repeat(255), '"quoted, with {marks}"', "' or 1=1 --"]) {
      const first = await send(key)
      expect(first.status).toBe(201)
      expect((await send(key)).body).toEqual(first.body)
    }
  })

  it('expires after a day, also before the sweep', async () => {
    const grow = (hours: number) =>
      tamper(
        { dataDir, env: environment },
        `update idempotency_keys set created_at = created_at - ${hours * 3_600_000} where project_id = '${tenant.projectId}'`,
      )
    const first = await send('a day')
    await grow(23)
    const before = await count()
    expect((await send('a day')).body).toEqual(first.body)
    await grow(1)
    const other = { ...trace, input: 'tomorrow' }
    const second = await send('a day', other)
    expect(second.status).toBe(201)
    expect(second.body.trace_id).not.toBe(first.body.trace_id)
    expect((await send('a day', other)).body).toEqual(second.body)
    expect(await count()).toBe(before + 1)
  })

  it('survives a restart, also after the deletion of its trace', async () => {
    const first = await send('restart')
    const gone = await send('gone')
    await tenant.project.ok('DELETE', `${base}/traces/${gone.body.trace_id}`)
    const before = await count()
    await server.stop()
    server = await startServer({ env: environment, dataDir })
    const { projectId, projectKey } = tenant
    tenant = { ...(await createTenant(server.url)), projectId, projectKey }
    tenant.project = tenant.project.withKey(projectKey)
    expect((await send('restart')).body).toEqual(first.body)
    expect((await send('gone')).body).toEqual(gone.body)
    expect((await send('restart', { ...trace, input: 'other' })).status).toBe(409)
    expect(await count()).toBe(before)
  })
})
