import { once } from 'node:events'
import type { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { HeldRequest, keepAliveAgent } from '../support/held-request.ts'
import { sampleText, sampleTrace } from '../support/samples.ts'
import { type Server, startServer } from '../support/server.ts'
import { openSocket, requestText } from '../support/wire.ts'

const largeText = sampleText(1).padEnd(1_000_000, ' and so on.')

/** Every server needs more memory than this. */
const tinyBudget = { CAIRN_MEMORY_BYTES: '1048576', CAIRN_INDEX_BYTES: '2000000' }

describe('past the memory budget', () => {
  let server: Server
  let tenant: Tenant
  let agent: Agent

  beforeAll(async () => {
    server = await startServer({ env: tinyBudget })
    tenant = await createTenant(server.url)
    agent = keepAliveAgent()
  })
  afterAll(async () => {
    agent.destroy()
    await server?.stop()
  })

  const memory = async () => (await Api.admin(server.url).ok('GET', '/v1/console/server')).body.memory
  const exportOf = ({ project, projectId }: Tenant) => project.get(`/v1/${projectId}/analytics/export`)
  const beginUpload = async ({ chat, chatId }: Tenant) => {
    const call = {
      path: `/v1/${chatId}/upload_with_scopes`,
      body: uploadForm('a.md', largeText),
      headers: chat.credential,
    }
    const upload = await HeldRequest.begin(server.url, call, agent)
    await vi.waitFor(async () => expect((await memory()).heavy_requests).toBe(1), 10_000)
    return upload
  }

  async function untilNothingHeavy(): Promise<void> {
    while ((await memory()).heavy_requests > 0) await pause(10)
  }

  it.each([
    ['exports', 'GET', 'analytics/export', 0],
    ['large bodies', 'POST', 'traces/batch', 10_000_000],
  ])('%s of clients that leave before they are admitted hold nothing', async (_, method, path, length) => {
    const { project, projectId } = await createTenant(server.url)
    const keys = `/v1/console/projects/${projectId}/keys`
    for (let count = 0; count < 20; count++) {
      // A key that is not known yet has to be looked up meanwhile.
      const { api_key } = (await Api.admin(server.url).ok('POST', keys, {})).body
      const headers = {
        authorization: `Bearer ${api_key}`,
        'content-type': 'application/json',
        'content-length': String(length),
      }
      const head = requestText(method, `/v1/${projectId}/${path}`, { headers })
      const socket = openSocket(server.url)
      await once(socket, 'connect')
      socket.write(head, () => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    await vi.waitFor(async () => expect((await memory()).heavy_requests).toBe(0))
    const large = { traces: [{ input: 'x'.repeat(9_000_000), output: 'y' }] }
    await project.ok('POST', `/v1/${projectId}/traces/batch`, large)
  })

  it('search indexes are freed, and loaded again for the next question', async () => {
    // Small chats, because background work on vectors would change the scores of large ones.
    const tenants = await Promise.all(Array.from({ length: 3 }, () => createTenant(server.url)))
    const search = async ({ chat, chatId }: Tenant) =>
      (await chat.ok('POST', `/v1/${chatId}/search`, { query: 'ledger' })).body.results
    for (const { chat, chatId } of tenants)
      await chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, uploadForm('b.md', sampleText(2)))
    const before = await Promise.all(tenants.map(search))
    expect(before.every((results) => results.length > 0)).toBe(true)
    // The indexes may already be freed before the first measurement; then they are loaded again.
    for (let isLower = false; !isLower; ) {
      await Promise.all(tenants.map(search))
      const { index_bytes: full } = await memory()
      for (let looks = 0; looks < 60 && !isLower; looks++) {
        await pause(100)
        isLower = (await memory()).index_bytes <= 0.6 * full
      }
    }
    expect(await Promise.all(tenants.map(search))).toEqual(before)
  })

  it('a second heavy request of a project gets 503, light requests and other projects do not, and later it is admitted', async () => {
    const upload = await beginUpload(tenant)
    const { project, projectId } = tenant
    const traces = `/v1/${projectId}/analytics/traces`
    const large = { traces: [{ input: 'x'.repeat(1_000_000), output: 'y' }] }
    const refused = [
      await exportOf(tenant),
      await project.get(`${traces}?q=ledger`),
      await project.post(`/v1/${projectId}/traces/batch`, large),
    ]
    for (const answer of refused) {
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('2')
      expect(answer.body.error.message).toContain('CAIRN_MEMORY_BYTES')
    }
    await project.ok('POST', `/v1/${projectId}/traces`, sampleTrace(1))
    await tenant.chat.ok(
      'POST',
      `/v1/${tenant.chatId}/upload_with_scopes`,
      uploadForm('small.md', sampleText(3)),
    )
    expect((await project.ok('GET', traces)).body).toHaveLength(1)
    expect((await exportOf(await createTenant(server.url))).status).toBe(200)
    expect(await memory()).toMatchObject({ budget_bytes: 1_048_576, heavy_requests: 1, refused: 3 })

    expect((await upload.finish()).status).toBe(200)
    await untilNothingHeavy()
    expect((await exportOf(tenant)).status).toBe(200)
    expect((await project.get(`${traces}?q=ledger`)).status).toBe(200)
    expect((await project.post(`/v1/${projectId}/traces/batch`, large)).status).toBe(201)
  })

  it('a client disconnect makes room for the next heavy request', async () => {
    const upload = await beginUpload(tenant)
    expect((await exportOf(tenant)).status).toBe(503)
    upload.abandon()
    await untilNothingHeavy()
    expect((await exportOf(tenant)).status).toBe(200)
  })

  it('a request without a valid credential learns nothing about the memory', async () => {
    const upload = await beginUpload(tenant)
    const { projectId } = tenant
    const stranger = await new Api(server.url).get(`/v1/${projectId}/analytics/export`)
    expect(stranger.status).toBe(401)
    expect((await upload.finish()).status).toBe(200)
  })
})
