import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { type Server, startServer } from '../support/server.ts'

const maxExports = 3

describe.each(databases)('exports whose clients stop reading, on $database', ({ env }) => {
  let server: Server
  let tenant: Tenant
  const sockets: Socket[] = []

  beforeAll(async () => {
    const limits = { CAIRN_MAX_EXPORTS: String(maxExports), CAIRN_STALL_SECONDS: '2' }
    server = await startServer({ env: { ...(await env()), ...limits } })
    tenant = await createTenant(server.url)
    const output = 'x'.repeat(100_000)
    const traces = Array.from({ length: 90 }, (_, index) => ({ input: `trace ${index}`, output }))
    for (let i = 0; i < 3; i++)
      await tenant.project.ok('POST', `/v1/${tenant.projectId}/traces/batch`, { traces })
  })
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    await server?.stop()
  })

  /** Asks for an export, reads its head, and then nothing more. */
  async function stall(): Promise<void> {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    socket.write(
      `GET /v1/${tenant.projectId}/analytics/export HTTP/1.1\r\nhost: x\r\n` +
        `authorization: ${tenant.project.credential.authorization}\r\n\r\n`,
    )
    await once(socket, 'data')
    socket.pause()
  }

  it('hold up nobody else, are limited in number, and are ended after a while', async () => {
    await Promise.all(Array.from({ length: maxExports }, stall))
    const path = `/v1/${tenant.projectId}`
    const created = await tenant.project.post(`${path}/traces`, { input: 'a', output: 'b' })
    expect(created.status).toBe(201)
    expect((await tenant.project.get(`${path}/analytics/metrics`)).body.total_queries).toBe(271)

    const refused = await tenant.project.get(`${path}/analytics/export`)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(refused.headers.get('content-disposition')).toBeNull()
    expect(refused.body.error).toEqual({ code: 503, message: expect.stringContaining('export') })

    let exported = refused
    for (let tries = 0; exported.status === 503 && tries < 40; tries++) {
      await pause(500)
      exported = await tenant.project.get(`${path}/analytics/export?format=jsonl`)
    }
    expect(exported.status).toBe(200)
    expect(exported.text.trim().split('\n')).toHaveLength(271)
  })
})
