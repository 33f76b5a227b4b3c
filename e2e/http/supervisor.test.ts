import type { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { createPlace, runCommand } from '../support/command.ts'
import { HeldRequest, keepAliveAgent } from '../support/held-request.ts'
import { sampleTrace } from '../support/samples.ts'
import { type Server, startServer } from '../support/server.ts'

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function until(what: string, isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !isTrue(); await pause(20)) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`)
  }
}

/** The lines of the log with this message. */
function logged(server: Server, message: string): Record<string, unknown>[] {
  const lines = server.output().split('\n')
  return lines.filter((line) => line.endsWith(`"msg":"${message}"}`)).map((line) => JSON.parse(line))
}

const restarts = (server: Server) => logged(server, 'the server has died and is started again')

describe.skipIf(process.platform === 'win32')('a server under its supervisor', () => {
  let server: Server
  let agent: Agent

  beforeEach(async () => {
    server = await startServer({ env: { CAIRN_SUPERVISOR: 'on', CAIRN_SHUTDOWN_SECONDS: '8' } })
    agent = keepAliveAgent()
  })
  afterEach(async () => {
    agent.destroy()
    if (isAlive(server.rootPid)) process.kill(server.rootPid, 'SIGTERM')
    await server.exited
  })

  const serverPid = () => Number(logged(server, 'listening').at(-1)?.pid)
  const hold = ({ projectId, project }: Tenant) =>
    HeldRequest.begin(
      server.url,
      { path: `/v1/${projectId}/traces`, body: sampleTrace(1), headers: project.credential },
      agent,
    )

  /** Kills the server and waits until the next one listens. */
  async function kill(signal: NodeJS.Signals): Promise<void> {
    const before = logged(server, 'listening').length
    process.kill(serverPid(), signal)
    await until('a new server listens', () => logged(server, 'listening').length > before)
  }

  it('is restarted after each crash, with growing delays, on its address and with all acknowledged data', async () => {
    const { project, projectId } = await createTenant(server.url)
    const path = `/v1/${projectId}`
    const created = await project.ok('POST', `${path}/traces`, sampleTrace(1))
    for (const signal of ['SIGKILL', 'SIGABRT', 'SIGKILL'] as const) {
      await kill(signal)
      const { body } = await project.ok('GET', `${path}/analytics/traces`)
      expect(body).toMatchObject([{ trace_id: created.body.trace_id }])
    }
    expect(new Set(logged(server, 'listening').map(({ url }) => url))).toEqual(new Set([server.url]))
    expect(restarts(server)).toMatchObject([
      { signal: 'SIGKILL', restarts: 1, delay_ms: 100 },
      { signal: 'SIGABRT', restarts: 2, delay_ms: 200 },
      { signal: 'SIGKILL', restarts: 3, delay_ms: 400 },
    ])
    const { supervisor } = (await Api.admin(server.url).ok('GET', '/v1/console/server')).body
    expect(supervisor).toMatchObject({ restarts: 3, last: { signal: 'SIGKILL', code: null } })
  })

  it('stops with it on SIGTERM after requests in progress', async () => {
    const held = await hold(await createTenant(server.url))
    process.kill(server.rootPid, 'SIGTERM')
    await until('the server stops', () => logged(server, 'stopping').length > 0)
    expect((await held.finish()).status).toBe(201)
    expect(await server.exited).toBe(0)
    expect(isAlive(server.pid)).toBe(false)
  })

  it('ends at once on a second signal', async () => {
    const held = await hold(await createTenant(server.url))
    process.kill(server.rootPid, 'SIGTERM')
    await until('the server stops', () => logged(server, 'stopping').length > 0)
    process.kill(server.rootPid, 'SIGTERM')
    expect(await server.exited).toBe(1)
    expect(isAlive(server.pid)).toBe(false)
    held.abandon()
  })

  it('ends on a second signal, even if it ignores signals', async () => {
    process.kill(server.pid, 'SIGSTOP')
    process.kill(server.rootPid, 'SIGTERM')
    await pause(50)
    process.kill(server.rootPid, 'SIGTERM')
    expect(await server.exited).toBe(128 + 9)
    expect(isAlive(server.pid)).toBe(false)
  })

  it('is not restarted after a requested stop', async () => {
    const { supervisor } = (await Api.admin(server.url).ok('GET', '/v1/console/server')).body
    expect(supervisor).toEqual({ restarts: 0, last: null })
    expect(await server.stop()).toBe(0)
    expect(restarts(server)).toEqual([])
  })

  it('stops after requests in progress if the supervisor dies', async () => {
    const held = await hold(await createTenant(server.url))
    process.kill(server.rootPid, 'SIGKILL')
    await until('the server stops', () => logged(server, 'stopping').length > 0)
    expect((await held.finish()).status).toBe(201)
    await until('the server has ended', () => !isAlive(server.pid))
    expect(logged(server, 'stopped')).toHaveLength(1)
  })

  it('is not restarted if it cannot start; its message is printed once, with its exit code', async () => {
    const place = await createPlace({})
    for (const [env, message] of [
      [{ CAIRN_MAX_EXPORTS: 'many' }, 'CAIRN_MAX_EXPORTS must be a whole number from 1 to 1000'],
      [{ CAIRN_SUPERVISOR: 'perhaps' }, 'CAIRN_SUPERVISOR must be one of on, off'],
      [{ PORT: new URL(server.url).port }, 'the port is in use; stop the other process or set PORT'],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(place, ['serve'], env)
      expect({ code, stderr }).toEqual({ code: 1, stderr: `Cairn cannot start: ${message}\n` })
      expect(stdout).not.toContain('started again')
    }
    await place.remove()
    expect((await new Api(server.url).get('/v1/health')).status).toBe(200)
  })
})
