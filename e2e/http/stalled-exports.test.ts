import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { type Server, startServer } from '../support/server.ts'
import { openSocket, requestText } from '../support/wire.ts'

const maxExports = 4
const tracesOfTenant = 270

async function createTenantWithTraces(url: string): Promise<Tenant> {
  const tenant = await createTenant(url)
  const output = 'x'.repeat(100_000)
  const traces = Array.from({ length: tracesOfTenant / 3 }, (_, index) => ({
    input: `trace ${index}`,
    output,
  }))
  for (let i = 0; i < 3; i++)
    await tenant.project.ok('POST', `/v1/${tenant.projectId}/traces/batch`, { traces })
  return tenant
}

describe.each(databases)('exports whose clients do not read, on $database', ({ env }) => {
  let server: Server
  let tenant: Tenant
  let other: Tenant
  const sockets: Socket[] = []

  beforeAll(async () => {
    const limits = { CAIRN_MAX_EXPORTS: String(maxExports), CAIRN_STALL_SECONDS: '2' }
    server = await startServer({ env: { ...(await env()), ...limits } })
    tenant = await createTenantWithTraces(server.url)
    other = await createTenantWithTraces(server.url)
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  afterAll(() => server?.stop())

  function open(): Socket {
    const socket = openSocket(server.url)
    sockets.push(socket)
    return socket
  }

  function exportRequest({ projectId, project }: Tenant): string {
    return requestText('GET', `/v1/${projectId}/analytics/export`, { headers: project.credential })
  }

  /** Requests an export, and reads only the head of the response. */
  async function stall(by: Tenant): Promise<Socket> {
    const socket = open()
    socket.write(exportRequest(by))
    await once(socket, 'data')
    return socket.pause()
  }

  function startExport({ projectId, project }: Tenant): Promise<Answer> {
    return project.get(`/v1/${projectId}/analytics/export?format=jsonl`)
  }

  /** Starts exports of the tenant until one gets a place. */
  async function untilExported(by: Tenant): Promise<Answer> {
    for (let tries = 0; ; tries++) {
      const exported = await startExport(by)
      if (exported.status !== 503 || tries === 40) return exported
      await pause(500)
    }
  }

  function expectWhole({ status, text }: Answer): void {
    expect(status).toBe(200)
    expect(text.trim().split('\n')).toHaveLength(tracesOfTenant)
  }

  it('free their place after a client disconnect at any time', async () => {
    const leave = async (number: number) => {
      const socket = open()
      await once(socket, 'connect')
      // Two pipelined requests: the second response waits behind the first.
      socket.write(exportRequest(tenant).repeat(1 + (number % 2)))
      if (number % 3 > 0) await pause(number % 20)
      socket.resetAndDestroy()
    }
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => leave(round * 10 + index)))
    }
    expectWhole(await untilExported(tenant))
    // Every place of the tenant is free, not only one.
    expect(
      (await Promise.all([startExport(tenant), startExport(tenant)])).map(({ status }) => status),
    ).toEqual([200, 200])
  })

  it('use at most half of the places, so that another project can export', async () => {
    await Promise.all([stall(tenant), stall(tenant)])
    const refused = await tenant.project.get(`/v1/${tenant.projectId}/analytics/export`)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(refused.headers.get('content-disposition')).toBeNull()
    expect(refused.body.error).toEqual({
      code: 503,
      message: expect.stringContaining('CAIRN_MAX_EXPORTS'),
      type: 'overloaded',
      request_id: refused.headers.get('x-request-id'),
    })
    expectWhole(await startExport(other))
  })

  it('delay no other request, and are ended after a while, even if the client sends bytes', async () => {
    const clients = await Promise.all([stall(tenant), stall(tenant), stall(other), stall(other)])
    // A timer of the connection's activity would restart with each received byte.
    const talk = setInterval(() => {
      for (const socket of clients) socket.write('G')
    }, 300)
    const path = `/v1/${tenant.projectId}`
    expect((await tenant.project.get(`${path}/analytics/metrics`)).body.total_queries).toBe(tracesOfTenant)
    expect((await startExport(other)).status).toBe(503)
    try {
      for (const each of [tenant, other]) expectWhole(await untilExported(each))
    } finally {
      clearInterval(talk)
    }
  })
})
