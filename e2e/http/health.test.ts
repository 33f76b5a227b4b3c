import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { DatabaseLine } from '../support/database-line.ts'
import { createPostgresDatabase, sharedServers } from '../support/databases.ts'
import { killFaults } from '../support/kill-audit.ts'
import { KillClients } from '../support/kill-clients.ts'
import { expectRefusal } from '../support/refusal.ts'
import { sampleText, sampleTrace } from '../support/samples.ts'
import { type Server, startServer } from '../support/server.ts'

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

function healthBody(status: 'healthy' | 'unhealthy'): object {
  return {
    status,
    timestamp,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    services: { database: status, models: 'local' },
  }
}

describe.each(sharedServers)('health, on $database', ({ server }) => {
  it('returns 200 for health and ready without a credential', async () => {
    const health = await new Api(server.url).get('/v1/health')
    expect([health.status, health.body]).toEqual([200, healthBody('healthy')])
    const ready = await new Api(server.url).get('/v1/ready')
    expect([ready.status, ready.body]).toEqual([200, { ready: true }])
  })
})

describe('an unreachable PostgreSQL', () => {
  let databaseUrl: string
  let line: DatabaseLine
  let server: Server
  let tenant: Tenant

  beforeAll(async () => {
    databaseUrl = await createPostgresDatabase()
    line = await DatabaseLine.to(databaseUrl)
    server = await startServer({ env: { DATABASE_URL: line.url } })
    tenant = await createTenant(server.url)
  })
  afterAll(async () => {
    await server?.stop()
    line?.close()
  })

  async function untilHealthy(): Promise<void> {
    const until = Date.now() + 15_000
    while ((await new Api(server.url).get('/v1/health')).status !== 200) {
      if (Date.now() > until) throw new Error(`no recovery:\n${server.output()}`)
      await pause(50)
    }
  }

  /** One request of each kind that needs the database, and the expected error body. */
  async function needyRequests(): Promise<{ project: Answer[]; detail: Answer[] }> {
    const { project, projectId, chat, chatId } = tenant
    const admin = Api.admin(server.url)
    const [trace, list, upload, answer, stream, console, graph] = await Promise.all([
      project.post(`/v1/${projectId}/traces`, sampleTrace(1)),
      project.get(`/v1/${projectId}/analytics/traces`),
      chat.post(`/v1/${chatId}/upload_with_scopes`, uploadForm('a.md', sampleText(1))),
      chat.post(`/v1/${chatId}/answer_question`, { question: 'What does mark 1-1 say?' }),
      chat.post(`/v1/${chatId}/answer_question_stream`, { question: 'What does mark 1-1 say?' }),
      admin.get('/v1/console/projects'),
      admin.get(`/graph_data/${chatId}`),
    ])
    return { project: [trace, list], detail: [upload, answer, stream, console, graph] }
  }

  function expectDocumentedFailures({ project, detail }: { project: Answer[]; detail: Answer[] }): void {
    for (const { status, body } of [...project, ...detail]) {
      expect([500, 503], JSON.stringify(body)).toContain(status)
    }
    for (const answer of project) expectRefusal(answer, { status: [500, 503], project: true })
    for (const answer of detail) expectRefusal(answer, { status: [500, 503], project: false })
    const leak = /ECONN|postgres|5432|select|insert|connection|127\.0\.0\.1|\.ts|\bat /i
    for (const { text } of [...project, ...detail]) expect(text).not.toMatch(leak)
  }

  it('makes health 503 unhealthy, ready 503 with Retry-After, and other requests fail as documented', async () => {
    line.cut()
    const health = await new Api(server.url).get('/v1/health')
    expect([health.status, health.body]).toEqual([503, healthBody('unhealthy')])
    const ready = await new Api(server.url).get('/v1/ready')
    const unreachable = 'the database does not respond'
    expectRefusal(ready, { status: 503, project: false, names: unreachable })
    expect(ready.body.detail).toBe(unreachable)
    expect(ready.headers.get('retry-after')).toBe('1')
    expectDocumentedFailures(await needyRequests())
  })

  it('is used again after it is reachable', async () => {
    line.mend()
    await untilHealthy()
    const { project, detail } = await needyRequests()
    expect([...project, ...detail].map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200, 200])
  })

  it('does not delay health if it hangs', async () => {
    line.freeze()
    const from = performance.now()
    const health = await new Api(server.url).get('/v1/health')
    expect([health.status, health.body]).toEqual([503, healthBody('unhealthy')])
    expect(performance.now() - from).toBeLessThan(4000)
    line.cut()
    line.mend()
    await untilHealthy()
  })

  it('may drop connections during any statement without a crash or a lost acknowledged write', async () => {
    const own = await createTenant(server.url)
    let last = 0
    const clients = new KillClients(own, () => ++last, undefined)
    const enough = new AbortController()
    const work = clients.run(enough.signal)
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const isMet = () => clients.promises.traces.size > 0 && clients.promises.documents.size > 0
    // Interruptions of growing length, because an upload on a slow machine needs a longer one.
    for (let i = 0; i < 40 || (!isMet() && i < 200); i++) {
      await pause(20 + (i % 10) * 15)
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
    }
    await client.end()
    enough.abort()
    await work
    expect(clients.lost, server.output()).toBe(0)
    expect(clients.promises.traces.size).toBeGreaterThan(0)
    expect(clients.promises.documents.size).toBeGreaterThan(0)
    for (const answer of clients.unexpected) expect(answer).toMatch(/^50[03] /)
    await untilHealthy()
    expect(await killFaults(server.url, own, clients.promises, undefined)).toEqual([])
  })
})
