import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ask, lastTrace, upload } from '../support/answers.ts'
import { createTenant, type Tenant } from '../support/api.ts'
import { databases, oneDatabase } from '../support/databases.ts'
import { endless, type Script, StubProvider } from '../support/provider.ts'
import { openaiWire } from '../support/provider-wire.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'

const question = 'How many books may a member borrow?'
const good: Script = { pieces: ['Twelve [^0].'], tokens: { prompt: 100, completion: 5 } }

async function tenantWithDocument(server: Server): Promise<Tenant> {
  const tenant = await createTenant(server.url)
  await upload(tenant, 'lending.md', 'Members may borrow up to twelve books for four weeks.')
  return tenant
}

/** Responses without an end, by the name of the model. */
const endlessAnswers: Record<string, Script> = {
  text: endless(openaiWire.text('blah '.repeat(200))),
  lines: endless('x'.repeat(10_000)),
  events: endless(`data: ${'x'.repeat(1_000)}\r\n`),
  'error-body': endless('x'.repeat(10_000), 'application/json', 500),
  'web-page': endless('<p>'.repeat(10_000), 'text/html'),
}

describe.each(oneDatabase)('a hostile model provider, on $database', ({ env }) => {
  let stub: StubProvider
  let elsewhere: StubProvider
  let server: Server
  let tenant: Tenant
  let neighbour: Tenant

  beforeAll(async () => {
    ;[stub, elsewhere] = await Promise.all([StubProvider.start(), StubProvider.start()])
    const models = ['good', 'redirecting', ...Object.keys(endlessAnswers)].join(',')
    const provider = { COMPATIBLE_BASE_URL: `${stub.url}/local/v1`, COMPATIBLE_MODELS: models }
    server = await startServer({ env: { ...(await env()), ...provider, CAIRN_MODEL_SECONDS: '1' } })
    ;[tenant, neighbour] = await Promise.all([tenantWithDocument(server), tenantWithDocument(server)])
  })
  afterAll(async () => {
    await server?.stop()
    stub.stop()
    elsewhere.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  it('that sends without end fails its own calls, and a neighbour gets answers meanwhile', async () => {
    stub.script = ({ body }) => endlessAnswers[body.model] ?? good
    const models = Object.keys(endlessAnswers)
    let underWay = models.length
    const failing = models.map(async (selected_model) => {
      const { status, body } = await ask(tenant, question, { selected_model })
      underWay--
      // Before the first word of an answer, the fallback model replaces a failed one.
      expect([status, body.model]).toEqual(selected_model === 'text' ? [502, undefined] : [200, 'good'])
    })
    await vi.waitUntil(() => stub.calls.length >= models.length)
    const answer = await ask(neighbour, question, { selected_model: 'good' })
    expect([answer.status, underWay > 0]).toEqual([200, true])
    await Promise.all(failing)
    const endlessCalls = stub.calls.filter(({ body }) => body.model !== 'good')
    await vi.waitFor(() => expect(endlessCalls.every(({ aborted }) => aborted)).toBe(true))
  })

  it('that redirects to another server gets neither the question nor its key there', async () => {
    stub.calls.length = 0
    const location = `${elsewhere.url}/v1/chat/completions`
    stub.script = () => ({ refuse: { status: 307, headers: { location } } })
    const refused = await ask(tenant, question, { selected_model: 'redirecting' })
    expectRefusal(refused, { status: 502, project: false, names: 'rejected the request' })
    expect(stub.calls.map(({ body }) => body.model)).toEqual(['redirecting', 'good'])
    expect(elsewhere.calls).toEqual([])
  })
})

describe.each(databases)('token counts of a hostile model provider, on $database', ({ env }) => {
  let stub: StubProvider
  let server: Server
  let tenant: Tenant

  beforeAll(async () => {
    stub = await StubProvider.start()
    server = await startServer({ env: { ...(await env()), ...stub.env() } })
    tenant = await tenantWithDocument(server)
  })
  beforeEach(() => {
    stub.calls.length = 0
  })
  afterAll(async () => {
    await server?.stop()
    stub.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  it.each([
    ['infinite', { prompt: 1e308, completion: 1e308 }],
    ['enormous', { prompt: 9e15, completion: 5 }],
    ['negative', { prompt: -5_000_000_000, completion: 5 }],
    ['fractional', { prompt: 1.5, completion: 5 }],
  ])('are not believed if they are %s: tokens are estimated', async (_, tokens) => {
    stub.script = () => ({ ...good, tokens: null })
    const estimated = (await ask(tenant, question)).body.usage
    stub.script = () => ({ ...good, tokens })
    const { status, body } = await ask(tenant, question)
    expect([status, body.usage]).toEqual([200, estimated])
    expect((await lastTrace(tenant)).token_usage).toMatchObject(estimated)
  })
})
