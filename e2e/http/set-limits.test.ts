import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, upload } from '../support/answers.ts'
import { type Answer, createTenant, type Tenant } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import { StubProvider } from '../support/provider.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'
import { openRequest } from '../support/wire.ts'

const question = 'How many books may a member borrow?'

describe.each(oneDatabase)('configured limits that protect other tenants, on $database', ({ env }) => {
  let stub: StubProvider
  let server: Server
  let tenant: Tenant
  let other: Tenant

  beforeAll(async () => {
    stub = await StubProvider.start()
    const settings = {
      CAIRN_EXPORT_SECONDS: '1',
      CAIRN_STALL_SECONDS: '2',
      CAIRN_MAX_BATCH_LABELS: '1000',
    }
    server = await startServer({ env: { ...(await env()), ...stub.env('openai'), ...settings } })
    ;[tenant, other] = [await createTenant(server.url), await createTenant(server.url)]
    for (const each of [tenant, other])
      await upload(each, 'lending.md', 'Members may borrow up to twelve books for four weeks.')
  })
  afterAll(async () => {
    await server?.stop()
    stub.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  it('end an export after its time limit, also if its client still reads', async () => {
    const traces = Array.from({ length: 90 }, () => ({ input: 'i', output: 'x'.repeat(100_000) }))
    await tenant.project.ok('POST', `/v1/${tenant.projectId}/traces/batch`, { traces })
    const headers = { connection: 'close', ...tenant.project.credential }
    const path = `/v1/${tenant.projectId}/analytics/export`
    const socket = openRequest(server.url, 'GET', path, { headers })
    let last = ''
    socket.on('data', (part) => {
      last = part.toString('latin1').slice(-5)
      // Slowly, but faster than a stalled client.
      socket.pause()
      setTimeout(() => socket.resume(), 30)
    })
    await once(socket, 'close')
    expect(last).not.toBe('')
    expect(last).not.toBe('0\r\n\r\n')
  })

  it('end a streamed answer and its call to the model if the client does not read', async () => {
    // Each character is six bytes in JSON.
    const pieces = Array.from({ length: 30 }, () => '\u0001'.repeat(50_000))
    stub.script = () => ({ pieces, ending: 'hang' })
    stub.calls.length = 0
    const path = `/v1/${tenant.chatId}/answer_question_stream`
    const headers = { connection: 'close', 'content-type': 'application/json', ...tenant.chat.credential }
    const socket = openRequest(server.url, 'POST', path, { headers, body: JSON.stringify({ question }) })
    await once(socket, 'data')
    socket.pause()
    await expect.poll(() => stub.calls[0]?.aborted, { timeout: 15_000 }).toBe(true)
    socket.resume()
    await once(socket, 'close')
    stub.script = () => ({ pieces: ['Twelve [^0].'] })
    expect((await ask(tenant, question)).body.answer).toBe('Twelve [^0].')
  })

  it('accept a batch with exactly the maximum of tags and attributes, and reject a larger one', async () => {
    const batchOf = (tags: number) => ({
      traces: Array.from({ length: 10 }, (_, index) => ({
        input: 'i',
        output: 'o',
        tags: Array.from({ length: index === 0 ? tags : 50 }, (_, tag) => `tag ${tag}`),
        custom_attributes: Object.fromEntries(Array.from({ length: 50 }, (_, name) => [`a${name}`, index])),
      })),
    })
    const path = `/v1/${other.projectId}/traces/batch`
    const refused = await other.project.post(path, batchOf(51))
    expectRefusal(refused, { status: 400, project: true, names: '1000 tags and custom attributes' })
    expect(refused.text).toContain('CAIRN_MAX_BATCH_LABELS')
    const metrics = `/v1/${other.projectId}/analytics/metrics`
    expect((await other.project.ok('GET', metrics)).body.total_queries).toBe(0)
    expect((await other.project.ok('POST', path, batchOf(50))).body.created).toBe(10)
  })

  it('reject a question if 256 of its project wait, and still answer questions of others', async () => {
    // Names are searched for by themselves, too: each question is two pieces of work, which take their time.
    const names = Array.from({ length: 4000 }, (_, n) => `w${n.toString(36)}`).join(' ')
    const search = ({ chat, chatId }: Tenant, query: string) => chat.post(`/v1/${chatId}/search`, { query })
    const asked = Array.from({ length: 500 }, () => search(tenant, `books ${names}`))
    const isRefused = async (answer: Promise<Answer>) => expect((await answer).status).toBe(429)
    await Promise.any(asked.map(isRefused))
    const found = await search(other, 'books')
    expect([found.status, found.body.results.length]).toEqual([200, 1])
    const answers = await Promise.all(asked)
    const refused = answers.filter(({ status }) => status === 429)
    const answered = answers.filter(({ status }) => status === 200)
    expect(answered.length).toBeGreaterThan(64)
    expect(refused.length).toBeGreaterThan(0)
    expect(answered.length + refused.length).toBe(asked.length)
    for (const { headers, body } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(body.detail).toContain('too many questions of this project')
    }
  })
})
