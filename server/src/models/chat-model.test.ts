import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { endless, type Script, StubProvider } from '../../../e2e/support/provider.ts'
import type { ChatPart } from './chat.ts'
import { createChatModel } from './chat-model.ts'
import type { ProviderName } from './provider.ts'
import { lazyProvider } from './providers.ts'

let stub: StubProvider
beforeEach(async () => {
  stub = await StubProvider.start()
})
afterEach(() => {
  vi.useRealTimers()
  stub.stop()
})

const models = [
  ['openai', 'gpt-4o-mini'],
  ['anthropic', 'claude-3-haiku-20240307'],
  ['google', 'gemini-pro'],
  ['compatible', 'org/llama:7b'],
] as const

/** A busy machine does not reach it. */
const patientMs = 20_000

function chatModel(providerName: ProviderName, id: string, quietMs = patientMs) {
  const access = { apiKey: 'sk-secret-key', baseUrl: `${stub.url}/v1` }
  const provider = lazyProvider(providerName, access)
  return createChatModel({ name: 'shown', id, providerName, provider, quietMs })
}

const request = {
  system: 'Be brief.',
  messages: [{ role: 'user' as const, content: 'Why?' }],
  temperature: 0.5,
  maxTokens: 77,
}

async function all(parts: AsyncGenerator<ChatPart>): Promise<ChatPart[]> {
  const list: ChatPart[] = []
  for await (const part of parts) list.push(part)
  return list
}

/** How a call fails if the server answers with this script. */
async function failure(script: Script | ((number: number) => Script), quietMs?: number) {
  stub.calls.length = 0
  stub.script = (_, number) => (typeof script === 'function' ? script(number) : script)
  const error = await all(chatModel('openai', 'gpt-4o-mini', quietMs).stream(request)).catch(
    (thrown) => thrown,
  )
  return { failure: error.failure, detail: error.detail, calls: stub.calls.length, message: error.message }
}

it.each(models)('%s streams text, then its usage, and receives the request', async (provider, id) => {
  stub.script = () => ({ pieces: ['Be', 'cause', '.'], tokens: { prompt: 10, completion: 3 } })
  expect(await all(chatModel(provider, id).stream(request))).toEqual([
    { type: 'text', text: 'Be' },
    { type: 'text', text: 'cause' },
    { type: 'text', text: '.' },
    { type: 'end', usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 } },
  ])
  const [call] = stub.calls
  const sent = JSON.stringify(call?.body) + call?.path
  for (const what of ['Be brief.', 'Why?', '0.5', '77', id.split('/')[0]]) expect(sent).toContain(what)
  expect(JSON.stringify(call?.headers)).toContain('sk-secret-key')
})

it.each(models)('%s answers with an object', async (provider, id) => {
  stub.script = () => ({ pieces: ['{"score":', '0.5}'], tokens: { prompt: 10, completion: 3 } })
  const schema = { type: 'object', properties: { score: { type: 'number' } }, required: ['score'] }
  const model = chatModel(provider, id)
  const { value, usage } = await model.object({ ...request, schema, schemaName: 'judgement' })
  expect({ value, usage }).toMatchObject({ value: { score: 0.5 }, usage: { total_tokens: 13 } })
  expect(JSON.stringify(stub.calls[0]?.body)).toContain('score')
  stub.script = () => ({ pieces: ['no object'] })
  await expect(model.object({ ...request, schema, schemaName: 'judgement' })).rejects.toMatchObject({
    failure: 'garbled',
  })
})

it('a temporary failure is tried three times before the first word', async () => {
  const passing = (status: number) => (number: number) =>
    number === 1 ? { refuse: { status } } : { pieces: ['Yes.'] }
  for (const status of [429, 500, 503, 529])
    expect(await failure(passing(status))).toMatchObject({ calls: 2, failure: undefined })
  expect(await failure({ refuse: { status: 500 } })).toMatchObject({ failure: 'broken', calls: 3 })
  expect(await failure({ ending: 'reset' })).toMatchObject({ failure: 'broken', calls: 3 })
})

it('a permanent failure is not tried again', async () => {
  const refuse = (status: number, code: string, headers = {}) => ({
    refuse: { status, headers, body: { error: { message: 'sk-secret-key', code } } },
  })
  expect(await failure(refuse(401, 'invalid_api_key'))).toEqual({
    failure: 'refused',
    detail: 'the provider answered 401 (invalid_api_key)',
    message: 'the model shown rejected the request',
    calls: 1,
  })
  expect(await failure(refuse(429, 'insufficient_quota'))).toMatchObject({ failure: 'refused', calls: 1 })
  expect(await failure(refuse(429, 'slow_down', { 'retry-after': '60' }))).toMatchObject({
    failure: 'overloaded',
    calls: 1,
  })
  expect(await failure({ ending: 'hang' }, 400)).toMatchObject({ failure: 'timeout', calls: 1 })
  expect(await failure({ pieces: ['Yes'], ending: 'hang' }, 400)).toMatchObject({
    failure: 'timeout',
    calls: 1,
  })
})

it.each(['cut', 'reset', 'error', 'garbage'] as const)(
  'an answer that ends with %s after its start has failed',
  async (ending) => {
    expect(await failure({ pieces: ['Yes', ' and'], ending, pauseMs: 20 })).toMatchObject({
      calls: 1,
      failure: expect.stringMatching(/^(broken|unreachable)$/),
    })
  },
)

it.each(models)('%s: a stream that stops without an end is a failure', async (provider, id) => {
  stub.script = () => ({ pieces: ['Yes', ' and'], ending: 'cut' })
  const error = await all(chatModel(provider, id).stream(request)).catch((thrown) => thrown)
  expect(error).toMatchObject({ code: 'model_failed', failure: 'broken' })
})

it.each(['openai', 'compatible'] as const)(
  '%s: a stream that ends with its marker is complete, also without a reason',
  async (provider) => {
    stub.script = () => ({ pieces: ['Grüße', ' 漢字 "finish_reason":"x"'], ending: 'done' })
    const parts = await all(chatModel(provider, 'x').stream(request))
    expect(parts.map((part) => (part.type === 'text' ? part.text : part.type))).toEqual([
      'Grüße',
      ' 漢字 "finish_reason":"x"',
      'end',
    ])
  },
)

it.each(models)('%s: a base URL without a path gets the usual version', async (provider, id) => {
  const { origin } = new URL(stub.url)
  const access = { apiKey: 'k', baseUrl: origin }
  const model = createChatModel({
    name: 'x',
    id,
    providerName: provider,
    provider: lazyProvider(provider, access),
    quietMs: patientMs,
  })
  await all(model.stream(request))
  expect(stub.calls[0]?.path).toMatch(provider === 'google' ? /^\/v1beta\/models/ : /^\/v1\/[a-z/]+$/)
})

it('a call that goes on and on has failed after ten times the limit of silence', async () => {
  stub.script = () => ({ pieces: Array.from({ length: 500 }, () => 'a'), pauseMs: 10 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let texts = 0
  const read = async () => {
    for await (const _ of chatModel('openai', 'gpt-4o-mini', 100).stream(request)) {
      texts++
      vi.advanceTimersByTime(60)
    }
  }
  expect(await read().catch((thrown) => thrown)).toMatchObject({ failure: 'timeout' })
  expect(texts).toBeGreaterThanOrEqual(1_000 / 60)
})

it.each(models)(
  '%s: a redirect is not followed, and a body without an end is a failure',
  async (provider, id) => {
    const next = async () =>
      (await all(chatModel(provider, id, 5_000).stream(request)).catch((thrown) => thrown)).failure
    stub.script = () => ({ refuse: { status: 307, headers: { location: '/elsewhere' } } })
    expect([await next(), stub.calls.length]).toEqual(['refused', 1])
    stub.script = () => endless('x'.repeat(10_000))
    expect(await next()).toBe('broken')
    stub.script = () => endless('x'.repeat(10_000), 'text/html', 400)
    expect(await next()).toBe('refused')
  },
)

it('an answer without text is a failure', async () => {
  expect(await failure({ pieces: [] })).toMatchObject({ failure: 'empty', calls: 1 })
})

it('tokens that the provider does not report are not estimated', async () => {
  stub.script = () => ({ pieces: ['Yes.'], tokens: null })
  expect((await all(chatModel('compatible', 'x').stream(request))).at(-1)).toEqual({
    type: 'end',
    usage: undefined,
  })
})

it('aborting, or leaving the stream early, closes the connection', async () => {
  stub.script = () => ({ pieces: ['Yes'], ending: 'hang' })
  const controller = new AbortController()
  const parts = chatModel('openai', 'gpt-4o-mini').stream(request, controller.signal)
  await parts.next()
  controller.abort(new Error('gone'))
  await expect(parts.next()).rejects.toThrow('gone')
  const others = chatModel('openai', 'gpt-4o-mini').stream(request)
  await others.next()
  await others.return(undefined)
  await expect.poll(() => stub.calls.map(({ aborted }) => aborted)).toEqual([true, true])
})
