import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, lastTrace, upload } from '../support/answers.ts'
import { createTenant, parseEvents, type Tenant } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import { type Script, StubProvider } from '../support/provider.ts'
import { expectRefusal } from '../support/refusal.ts'
import { logLines, type Server, startServer } from '../support/server.ts'

const question = 'How many books may a member borrow?'
const answer: Script = { pieces: ['Twelve [^0].'], tokens: { prompt: 100, completion: 5 } }
/** A typical error of a provider: it contains a part of the API key and of the question. */
const refuse = (status: number, code: string): Script => {
  const message = `Incorrect API key provided: sk-openai-secret-key while answering ${question}`
  return { refuse: { status, body: { error: { message, code } } } }
}

describe.each(oneDatabase)('failing models, on $database', ({ env }) => {
  let stub: StubProvider
  let server: Server
  let tenant: Tenant
  /** The replies of OpenAI's models, call by call; the last one repeats. Models of other providers succeed. */
  let openai: Script[]

  beforeAll(async () => {
    stub = await StubProvider.start()
    const providers = stub.env('openai', 'anthropic')
    server = await startServer({ env: { ...(await env()), ...providers, CAIRN_MODEL_SECONDS: '1' } })
    tenant = await createTenant(server.url)
    await upload(tenant, 'lending.md', 'Members may borrow up to twelve books for four weeks.')
  })
  beforeEach(() => {
    stub.calls.length = 0
    stub.script = ({ path }, number) =>
      path.includes('/openai/') ? (openai[number - 1] ?? openai.at(-1) ?? answer) : answer
  })
  afterAll(async () => {
    await server?.stop()
    stub.stop()
    expect(server?.output()).not.toMatch(/"level":50|secret-key|Incorrect|borrow/)
  })

  const askStream = async (rest: object = {}) =>
    tenant.chat.post(`/v1/${tenant.chatId}/answer_question_stream`, { question, ...rest })

  it.each([429, 500, 503])('a temporary %i does not reach the client', async (status) => {
    openai = [refuse(status, 'passing'), answer]
    const { body } = await ask(tenant, question)
    expect(body).toMatchObject({ answer: 'Twelve [^0].', model: 'gpt-4o-mini' })
    expect(stub.calls).toHaveLength(2)
  })

  it.each([
    ['refuses', refuse(401, 'invalid_api_key'), 1],
    ['has no money', refuse(429, 'insufficient_quota'), 1],
    ['fails for good', refuse(500, 'broken'), 3],
    ['says nothing', { ending: 'hang' } as Script, 1],
    ['says nothing of meaning', { ending: 'garbage' } as Script, 3],
  ])('a model that %s is replaced by the fallback, which the answer names', async (_, script, tries) => {
    openai = [script]
    const { status, body } = await ask(tenant, question)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      answer: 'Twelve [^0].',
      model: 'claude-haiku-4-5',
      usage: { total_tokens: 105 },
    })
    expect(stub.at('/openai/')).toHaveLength(tries)
    const trace = await lastTrace(tenant)
    expect(trace).toMatchObject({ status: 'success', model: 'claude-haiku-4-5' })
    const { attributes, events } = trace.spans[1]
    expect(attributes).toMatchObject({
      model: 'claude-haiku-4-5',
      instead_of: 'gpt-4o-mini',
      retries: tries - 1,
    })
    const names = events.map(({ name }: { name: string }) => name)
    expect(names).toEqual([...Array.from({ length: tries - 1 }, () => 'retry'), 'fallback'])
    expect(events.at(-1).attributes.error).toMatch(/^the model gpt-4o-mini \w/)
    expect(JSON.stringify(events)).not.toMatch(/sk-|Incorrect/)
    const streamed = parseEvents((await askStream()).text)
    expect(streamed.at(-1)).toMatchObject({ type: 'end', data: { model: 'claude-haiku-4-5' } })
  })

  it('the traceparent of the caller reaches every provider, and an invalid one does not', async () => {
    openai = [refuse(401, 'invalid_api_key')]
    const path = `/v1/${tenant.chatId}/answer_question`
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const invalid = ['00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', 'secret', `${traceparent}-x`]
    for (const given of [traceparent, ...invalid]) {
      stub.calls.length = 0
      const headers = { traceparent: given, tracestate: 'a=b', 'x-request-id': 'r-1' }
      await tenant.chat.call('POST', path, { body: { question }, headers })
      expect(stub.calls.map((call) => call.path.split('/')[1])).toEqual(['openai', 'anthropic'])
      for (const call of stub.calls) {
        expect(call.headers.traceparent).toBe(given === traceparent ? given : undefined)
        expect(call.headers).not.toHaveProperty('tracestate')
        expect(call.headers).not.toHaveProperty('x-request-id')
      }
    }
  })

  it('every log line of a request has its id', async () => {
    openai = [refuse(400, 'bad')]
    stub.script = () => refuse(400, 'bad')
    const headers = { 'x-request-id': 'failing-1' }
    await tenant.chat.call('POST', `/v1/${tenant.chatId}/answer_question`, { body: { question }, headers })
    const lines = () => logLines(server).filter(({ request_id }) => request_id === 'failing-1')
    await expect.poll(() => lines().map(({ msg }) => msg)).toContain('request')
    expect(lines()).toHaveLength(2)
    expect(lines()[0]).toMatchObject({ code: 'model_failed' })
  })

  it('a failed model is replaced by a model of another provider', async () => {
    openai = [refuse(401, 'invalid_api_key')]
    const { body } = await ask(tenant, question, { selected_model: 'gpt-4o' })
    expect(body).toMatchObject({ answer: 'Twelve [^0].', model: 'claude-haiku-4-5' })
  })

  it('there is no third model after the fallback', async () => {
    stub.script = () => refuse(400, 'bad')
    for (const failed of [await ask(tenant, question), await askStream()]) {
      expectRefusal(failed, { status: 502, project: false, names: 'claude-haiku-4-5' })
      expect(failed.text).not.toMatch(/sk-|Incorrect|bad|400/)
    }
    expect(stub.calls).toHaveLength(4)
    const trace = await lastTrace(tenant)
    expect(trace).toMatchObject({
      input: question,
      output: '',
      status: 'error',
      error: 'the model claude-haiku-4-5 rejected the request: the provider answered 400 (bad)',
      token_usage: null,
      model: 'claude-haiku-4-5',
    })
    expect(trace.spans[1]).toMatchObject({ status: 'error', error: trace.error })
    expect(JSON.stringify(trace)).not.toMatch(/sk-|Incorrect/)
  })

  it('a chat that wants it gets quotes of the documents if no model responds', async () => {
    const quoting = await createTenant(server.url)
    await upload(quoting, 'lending.md', 'Members may borrow up to twelve books for four weeks.')
    await quoting.chat.ok('POST', `/v1/${quoting.chatId}/settings`, { quote_on_failure: true })
    stub.script = () => refuse(400, 'bad')
    const { status, body } = await ask(quoting, question)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      answer: expect.stringContaining('twelve books'),
      model: 'cairn-extractive',
      citations: [{ source: 'lending.md' }],
    })
    const { spans, ...trace } = await lastTrace(quoting)
    expect(trace).toMatchObject({ status: 'success', model: 'cairn-extractive' })
    expect(spans[1].attributes).toMatchObject({ instead_of: 'claude-haiku-4-5' })
    expect(spans[1].events.map(({ name }: { name: string }) => name)).toEqual(['fallback', 'quotes'])
    const stream = `/v1/${quoting.chatId}/answer_question_stream`
    const events = parseEvents((await quoting.chat.post(stream, { question })).text)
    expect(events.at(-1)).toMatchObject({ type: 'end', data: { model: 'cairn-extractive' } })
    // An answer that has begun is not replaced.
    stub.script = () => ({ pieces: ['Twelve', ' books'], ending: 'cut' })
    expectRefusal(await ask(quoting, question), { status: 502, project: false, names: 'gpt-4o-mini' })
  })

  it.each(['cut', 'reset', 'error', 'garbage', 'hang'] as const)(
    'a stream that ends with %s after its beginning has an error event',
    async (ending) => {
      openai = [{ pieces: ['Twelve', ' books'], ending, pauseMs: 30 }]
      const { status, text, headers } = await askStream()
      expect(status).toBe(200)
      const events = parseEvents(text)
      expect(events.map(({ type }) => type)).toEqual(['context', 'content', 'content', 'error'])
      expect(events.at(-1)?.data).toMatch(/^the model gpt-4o-mini \w/)
      expect(events.at(-1)).toMatchObject({
        error: { type: 'model_failed', request_id: headers.get('x-request-id') },
      })
      expect(await lastTrace(tenant)).toMatchObject({
        status: 'error',
        output: 'Twelve books',
        model: 'gpt-4o-mini',
      })
      expectRefusal(await ask(tenant, question), { status: 502, project: false, names: 'gpt-4o-mini' })
      expect(stub.at('/anthropic/')).toHaveLength(0)
    },
  )
})

describe('a server with one provider', () => {
  let stub: StubProvider
  const servers: Server[] = []

  const start = async (env: Record<string, string>) => {
    stub = await StubProvider.start()
    stub.script = () => answer
    const server = await startServer({ env: { ...stub.env('anthropic'), ...env } })
    servers.push(server)
    const tenant = await createTenant(server.url)
    await upload(tenant, 'lending.md', 'Members may borrow up to twelve books for four weeks.')
    return tenant
  }
  afterAll(async () => {
    for (const server of servers) await server.stop()
    stub.stop()
  })

  it('answers with its first model if a model of another provider is requested', async () => {
    const tenant = await start({})
    expect((await ask(tenant, question)).body.model).toBe('claude-haiku-4-5')
    expect((await ask(tenant, question, { selected_model: 'gemini-pro' })).body.model).toBe(
      'claude-haiku-4-5',
    )
    expect((await ask(tenant, question, { selected_model: 'claude-3-opus' })).body.model).toBe(
      'claude-3-opus',
    )
  })

  it('answers with the configured default model, which is also the fallback', async () => {
    const env = {
      ANTHROPIC_MODELS: 'sonnet=claude-sonnet-5-5,claude-3-opus=claude-opus-5',
      CAIRN_DEFAULT_MODEL: 'sonnet',
    }
    const tenant = await start(env)
    expect((await ask(tenant, question)).body.model).toBe('claude-sonnet-5-5')
    expect((await ask(tenant, question, { selected_model: 'claude-3-opus' })).body.model).toBe(
      'claude-opus-5',
    )
    stub.script = ({ body }) => (body.model === 'claude-sonnet-5-5' ? answer : refuse(404, 'not_found_error'))
    const { body } = await ask(tenant, question, { selected_model: 'claude-3-sonnet' })
    expect(body.model).toBe('claude-sonnet-5-5')
  })

  it('does not start with an unknown default model, and starts with a known one whose provider is not configured', async () => {
    await expect(startServer({ env: { CAIRN_DEFAULT_MODEL: 'gpt-99' } })).rejects.toThrow(
      'Cairn cannot start: CAIRN_DEFAULT_MODEL: gpt-99 is not a model that this server knows',
    )
    const waiting = await startServer({
      env: { CAIRN_DEFAULT_MODEL: 'gpt-4o', CAIRN_EMBEDDING_MODEL: 'openai/text-embedding-3-small' },
    })
    await waiting.stop()
    for (const variable of ['CAIRN_DEFAULT_MODEL', 'CAIRN_EMBEDDING_MODEL']) {
      expect(waiting.output()).toMatch(new RegExp(`"level":40.*${variable}.*not configured`))
    }
  })
})
