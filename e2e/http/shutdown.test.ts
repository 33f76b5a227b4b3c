import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Api, createTenant, parseEvents, type Tenant, uploadForm } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { HeldRequest, keepAliveAgent } from '../support/held-request.ts'
import { killFaults } from '../support/kill-audit.ts'
import { KillClients } from '../support/kill-clients.ts'
import { expectRefusal } from '../support/refusal.ts'
import { sampleText, sampleTrace } from '../support/samples.ts'
import { type Server, startServer } from '../support/server.ts'
import { openSocket, socketTalk } from '../support/wire.ts'

/** Sends SIGTERM, and resolves when the server has logged it. */
async function beginStopping(server: Server): Promise<void> {
  server.signal('SIGTERM')
  while (!server.output().includes('"stopping"')) await pause(10)
  await pause(50)
}

/** The exit code, and the time until the exit. */
async function exitOf(server: Server): Promise<{ code: number | null; ms: number }> {
  const from = performance.now()
  const code = await server.exited
  return { code, ms: performance.now() - from }
}

describe.each(databases)('SIGTERM, on $database', ({ env }) => {
  let dataDir: string
  let environment: Record<string, string>
  let server: Server
  let tenant: Tenant
  let agent: Agent

  const start = () => startServer({ dataDir, env: environment })
  const hold = (api: Api, path: string, body: unknown) =>
    HeldRequest.begin(server.url, { path, body, headers: api.credential }, agent)

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cairn-shutdown-'))
    environment = { ...(await env()), CAIRN_SHUTDOWN_SECONDS: '8' }
    server = await start()
    tenant = await createTenant(server.url)
    agent = keepAliveAgent()
  })
  afterEach(async () => {
    agent.destroy()
    await server.kill()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('finishes and stores requests in progress, also on connections that stay open, and exits with 0', async () => {
    const { chat, chatId, project, projectId } = tenant
    await chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, uploadForm('first.md', sampleText(1)))
    const question = 'What does mark 1-2 of the ledger say?'
    const held = await Promise.all([
      hold(project, `/v1/${projectId}/traces`, sampleTrace(1)),
      hold(project, `/v1/${projectId}/traces/batch`, { traces: [sampleTrace(2), sampleTrace(3)] }),
      hold(chat, `/v1/${chatId}/upload_with_scopes`, uploadForm('second.md', sampleText(2))),
      hold(chat, `/v1/${chatId}/answer_question_stream`, { question }),
    ])
    await beginStopping(server)
    const [trace, batch, upload, stream] = await Promise.all(held.map((request) => request.finish()))
    expect([trace, batch, upload, stream].map((answer) => answer?.status)).toEqual([201, 201, 200, 200])
    expect(parseEvents(stream?.text ?? '').at(-1)?.type).toBe('end')
    const { code, ms } = await exitOf(server)
    expect(code).toBe(0)
    expect(ms).toBeLessThan(3000)

    server = await start()
    const again = new Api(server.url, project.credential)
    const stored = (await again.ok('GET', `/v1/${projectId}/analytics/traces`)).body as { input: string }[]
    const inputs = [1, 2, 3].map((number) => sampleTrace(number).input)
    expect(stored.map(({ input }) => input).toSorted()).toEqual([...inputs, question].toSorted())
    const { body: graph } = await Api.admin(server.url).ok('GET', `/graph_data/${chatId}`)
    expect(graph.nodes.map(({ id }: { id: string }) => id)).toContain(upload?.body.file_id)
    expect(await server.stop()).toBe(0)
  })

  it('under load, each request is stored or rejected as documented', async () => {
    const clients = new KillClients(tenant, counter(), undefined)
    const gone = clients.run()
    await expect.poll(() => clients.promises.traces.size, { timeout: 20_000 }).toBeGreaterThan(20)
    await expect.poll(() => clients.promises.documents.size, { timeout: 20_000 }).toBeGreaterThan(0)
    server.signal('SIGTERM')
    await gone
    expect(await server.exited).toBe(0)
    const refusal = /^503 \{("error":\{"code":503,"message"|"detail"):"the server is stopping"\}?\}$/
    for (const answer of clients.unexpected) expect(answer).toMatch(refusal)
    server = await start()
    expect(await killFaults(server.url, tenant, clients.promises, undefined)).toEqual([])
  })

  it('rejects new connections, and late requests on open connections with 503 and Retry-After', async () => {
    const busy = await hold(tenant.project, `/v1/${tenant.projectId}/traces`, sampleTrace(1))
    const late = (path: string) =>
      socketTalk(server.url, async (socket) => {
        // Half of the headers, so that the connection is not idle, but has no accepted request.
        socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n`)
        await stopping
        socket.write('\r\n')
      })
    const { promise: stopping, resolve: stop } = Promise.withResolvers<void>()
    const answers = [late(`/v1/${tenant.projectId}/analytics/traces`), late(`/v1/${tenant.chatId}/info`)]
    await pause(50)
    await beginStopping(server)
    const codeOfRefusal = () =>
      new Api(server.url).get('/v1/health').then(
        ({ status }) => status,
        ({ code }) => code,
      )
    await expect.poll(codeOfRefusal).toBe('ECONNREFUSED')
    stop()
    const [project, chat] = await Promise.all(answers)
    expect(project?.body.error.message).toBe('the server is stopping')
    expect(chat?.body.detail).toBe('the server is stopping')
    for (const answer of [project, chat]) {
      if (answer) expectRefusal(answer, { status: 503, project: answer === project })
      expect(answer?.status).toBe(503)
      expect(answer?.headers.get('retry-after')).toBe('1')
      expect(answer?.headers.get('connection')).toBe('close')
    }
    expect((await busy.finish()).status).toBe(201)
    expect((await exitOf(server)).code).toBe(0)
  })

  it('exits at once without requests, with or without open connections', async () => {
    const silent = openSocket(server.url)
    await once(silent, 'connect')
    const done = await hold(tenant.project, `/v1/${tenant.projectId}/traces`, sampleTrace(1))
    expect((await done.finish()).headers.get('connection')).toBe('keep-alive')
    const closed = once(silent, 'close')
    server.signal('SIGTERM')
    const { code, ms } = await exitOf(server)
    expect(code).toBe(0)
    expect(ms).toBeLessThan(2000)
    await closed
  })

  it('ends at the time limit if a client never finishes, without losing acknowledged data', async () => {
    await server.stop()
    environment.CAIRN_SHUTDOWN_SECONDS = '1'
    server = await start()
    tenant = { ...tenant, project: new Api(server.url, tenant.project.credential) }
    const { project, projectId } = tenant
    const stalled = await hold(project, `/v1/${projectId}/traces`, sampleTrace(1))
    const { trace_id } = (await project.ok('POST', `/v1/${projectId}/traces`, sampleTrace(2))).body
    server.signal('SIGTERM')
    const { code, ms } = await exitOf(server)
    expect(code).toBe(1)
    expect(ms).toBeGreaterThan(900)
    expect(ms).toBeLessThan(4000)
    stalled.abandon()
    server = await start()
    const again = new Api(server.url, project.credential)
    const stored = await again.ok('GET', `/v1/${projectId}/analytics/traces`)
    expect(stored.body.map((trace: { trace_id: string }) => trace.trace_id)).toEqual([trace_id])
  })
})

function counter(): () => number {
  let last = 0
  return () => ++last
}
