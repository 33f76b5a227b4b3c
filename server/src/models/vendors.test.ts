import { generateKeyPairSync, verify } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type ProviderCall, type Script, StubProvider } from '../../../e2e/support/provider.ts'
import { embeddingOf } from '../../../e2e/support/provider-wire.ts'
import { awsSignature, frame } from '../../../e2e/support/vendor-wire.ts'
import type { ChatPart } from './chat.ts'
import { createChatModel } from './chat-model.ts'
import { createEmbedder } from './embedder.ts'
import type { ProviderAccess, ProviderName } from './provider.ts'
import { lazyProvider } from './providers.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

let stub: StubProvider
beforeEach(async () => {
  stub = await StubProvider.start()
})
afterEach(() => {
  vi.unstubAllEnvs()
  stub.stop()
})

type Vendor = 'azure' | 'bedrock' | 'vertex' | 'mistral' | 'groq' | 'openrouter' | 'cohere' | 'groq-internal'

const secret = 'sk-secret-key'

const serviceAccount = () =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'acme',
    private_key_id: 'key-7',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: 'cairn@acme.iam.gserviceaccount.com',
    token_uri: `${stub.url}/token`,
  })

function accessTo(vendor: Vendor): ProviderAccess {
  const access = { apiKey: secret, baseUrl: `${stub.url}/v1`, headers: { 'x-team': 'search' } }
  if (vendor === 'bedrock') {
    const options = { region: 'eu-central-1', access_key_id: 'AKIAIOSFODNN7EXAMPLE' }
    return { ...access, baseUrl: stub.url, options }
  }
  if (vendor === 'vertex') {
    const path = '/v1/projects/acme/locations/global/publishers/google'
    return { ...access, apiKey: serviceAccount(), baseUrl: stub.url + path }
  }
  if (vendor === 'mistral' || vendor === 'groq') return { ...access, baseUrl: `${stub.url}/${vendor}/v1` }
  return vendor === 'cohere' ? { ...access, baseUrl: `${stub.url}/v2` } : access
}

/** Each vendor with a model, the path of its streams, and the header with its credential. */
const vendors = [
  ['azure', 'my-deployment', '/v1/chat/completions', { 'api-key': secret }],
  [
    'bedrock',
    'eu.anthropic.claude-sonnet-4-5-v1:0',
    '/model/eu.anthropic.claude-sonnet-4-5-v1%3A0/converse-stream',
    {},
  ],
  [
    'vertex',
    'gemini-3-pro',
    '/v1/projects/acme/locations/global/publishers/google/models/gemini-3-pro:streamGenerateContent?alt=sse',
    { authorization: 'Bearer ya29.token' },
  ],
  ['mistral', 'mistral-large-latest', '/mistral/v1/chat/completions', { authorization: `Bearer ${secret}` }],
  ['groq', 'openai/gpt-oss-120b', '/groq/v1/chat/completions', { authorization: `Bearer ${secret}` }],
  ['openrouter', 'anthropic/claude-opus-5', '/v1/chat/completions', { authorization: `Bearer ${secret}` }],
  ['cohere', 'command-a-03-2025', '/v2/chat', { authorization: `Bearer ${secret}` }],
  ['groq-internal', 'llama-3.3-70b', '/v1/chat/completions', { authorization: `Bearer ${secret}` }],
] as const

const request = {
  system: 'Be brief.',
  messages: [{ role: 'user' as const, content: 'Why?' }],
  temperature: 0.5,
  maxTokens: 77,
}

function chatModel(vendor: Vendor, access = accessTo(vendor)) {
  const id = vendors.find(([name]) => name === vendor)?.[1] ?? ''
  const provider = lazyProvider(vendor as ProviderName, access)
  return createChatModel({ name: 'shown', id, providerName: vendor, provider, quietMs: 20_000 })
}

async function all(parts: AsyncGenerator<ChatPart>): Promise<ChatPart[]> {
  const list: ChatPart[] = []
  for await (const part of parts) list.push(part)
  return list
}

const chats = (): ProviderCall[] => stub.calls.filter(({ path }) => path !== '/token')

it.each(vendors)(
  '%s streams text, then its usage, and receives the request',
  async (vendor, id, path, auth) => {
    stub.script = () => ({ pieces: ['Be', 'cause', '.'], tokens: { prompt: 10, completion: 3 } })
    const parts = await all(chatModel(vendor).stream(request))
    expect(parts.map((part) => (part.type === 'text' ? part.text : part))).toEqual([
      'Be',
      'cause',
      '.',
      { type: 'end', usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 } },
    ])
    const [call] = chats()
    expect(call?.path).toBe(path)
    expect(call?.headers).toMatchObject({ ...auth, 'x-team': 'search' })
    const sent = call?.text + decodeURIComponent(call?.path ?? '')
    for (const what of ['Be brief.', 'Why?', '0.5', '77', id]) expect(sent).toContain(what)
  },
)

it.each(vendors)('%s answers with an object', async (vendor) => {
  stub.script = () => ({ pieces: ['{"score":', '0.5}'], tokens: { prompt: 10, completion: 3 } })
  const schema = { type: 'object', properties: { score: { type: 'number' } }, required: ['score'] }
  const { value, usage } = await chatModel(vendor).object({ ...request, schema, schemaName: 'judgement' })
  expect({ value, usage }).toMatchObject({ value: { score: 0.5 }, usage: { total_tokens: 13 } })
})

it.each(vendors)('%s: a stream that stops without an end has failed', async (vendor) => {
  stub.script = () => ({ pieces: ['half'], ending: 'cut' })
  await expect(all(chatModel(vendor).stream(request))).rejects.toMatchObject({ failure: 'broken' })
})

it.each(vendors)(
  '%s: a rejected request fails with the status and without the text of the vendor',
  async (vendor) => {
    const body = { message: `bad key ${secret}`, error: { message: `bad key ${secret}` } }
    stub.script = () => ({ refuse: { status: 403, body } })
    const error = await all(chatModel(vendor).stream(request)).catch((thrown) => thrown)
    expect([error.failure, error.detail]).toEqual(['refused', 'the provider answered 403'])
    expect(chats()).toHaveLength(1)
  },
)

/** Why the first try of a streamed answer fails. */
async function firstFailure(vendor: Vendor): Promise<string> {
  const tries = new AbortController()
  let failure: unknown
  const isFirst = (error: unknown) => {
    failure = error
    tries.abort()
  }
  await all(chatModel(vendor).stream(request, tries.signal, isFirst)).catch((error) => (failure ??= error))
  return (failure as { detail: string }).detail
}

function send(type: string, body: string | Buffer): Script {
  return { raw: (response) => response.writeHead(200, { 'content-type': type }).end(body) }
}

/** A JSON value whose parsing would keep the event loop busy. */
const heavyJson = '[{'.repeat(30_000)

it.each(vendors)('%s: an event that would take long to parse fails the call', async (vendor) => {
  const isBedrock = vendor === 'bedrock'
  const headers = { ':event-type': 'metadata', ':message-type': 'event' }
  stub.script = () =>
    isBedrock
      ? send('application/vnd.amazon.eventstream', frame(headers, heavyJson))
      : send('text/event-stream', `data: ${heavyJson}\n\n`)
  // If the SDK waits for the first event, it wraps the error. Without a bound it reports JSON that it cannot parse.
  expect(await firstFailure(vendor)).toMatch(/: (ResponseTooLarge|AI_APICallError)$/)
})

it.each([
  ['whose frames never end', Buffer.from([0x7f, 0xff, 0xff, 0xff, ...Array<number>(1_000).fill(0)])],
  ['whose frames have no length', Buffer.alloc(1_000)],
])('bedrock: a stream %s fails', async (_, body) => {
  stub.script = () => send('application/vnd.amazon.eventstream', body)
  expect(await firstFailure('bedrock')).toBe('broken: ResponseTooLarge')
})

it('bedrock signs each request with the secret of the access key, which is never sent', async () => {
  vi.stubEnv('AWS_BEARER_TOKEN_BEDROCK', 'of-another-application')
  vi.stubEnv('AWS_SESSION_TOKEN', 'of-another-application')
  await all(chatModel('bedrock').stream(request))
  const [call] = stub.calls as [ProviderCall]
  const { headers, path, text: body } = call
  const [, signature] = /Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? '') ?? []
  expect(signature).toBe(awsSignature({ path, headers, body }, secret))
  expect(awsSignature({ path, headers, body: `${body} ` }, secret)).not.toBe(signature)
  expect(headers.authorization).toContain('Credential=AKIAIOSFODNN7EXAMPLE/')
  expect(headers.authorization).toContain('/eu-central-1/bedrock/aws4_request')
  expect(JSON.stringify(headers)).not.toContain(secret)
  expect(JSON.stringify(headers)).not.toContain('of-another-application')
})

it('bedrock sends an API key as it is if there is no access key', async () => {
  await all(
    chatModel('bedrock', { ...accessTo('bedrock'), options: { region: 'us-east-1' } }).stream(request),
  )
  expect(stub.calls[0]?.headers.authorization).toBe(`Bearer ${secret}`)
})

it('vertex asks the token endpoint of its account once, with a signed assertion', async () => {
  const model = chatModel('vertex')
  expect(stub.calls).toEqual([])
  await all(model.stream(request))
  await all(model.stream(request))
  expect(stub.calls.map(({ path }) => path.split(/[?:]/)[0])).toEqual([
    '/token',
    ...Array(2).fill('/v1/projects/acme/locations/global/publishers/google/models/gemini-3-pro'),
  ])
  const { grant_type, assertion } = stub.at('/token')[0]?.body ?? {}
  expect(grant_type).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
  const [head = '', claims = '', signature = ''] = assertion?.split('.') ?? []
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  )
  expect(isSigned).toBe(true)
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    iss: 'cairn@acme.iam.gserviceaccount.com',
    aud: `${stub.url}/token`,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
  })
  const [, call] = stub.calls
  expect(call?.headers['x-goog-api-key']).toBeUndefined()
})

it('vertex sends an API key of the express mode as it is', async () => {
  await all(
    chatModel('vertex', { apiKey: secret, baseUrl: `${stub.url}/v1/publishers/google` }).stream(request),
  )
  expect(stub.calls.map(({ headers }) => [headers['x-goog-api-key'], headers.authorization])).toEqual([
    [secret, undefined],
  ])
})

const embedders = [
  ['azure', 'embed-deployment'],
  ['bedrock', 'amazon.titan-embed-text-v2:0'],
  ['vertex', 'text-embedding-005'],
  ['mistral', 'mistral-embed'],
  ['openrouter', 'openai/text-embedding-3-small'],
  ['cohere', 'embed-v4.0'],
  ['groq-internal', 'bge-m3'],
] as const

it.each(embedders)('%s embeds texts in as many calls as it needs, in order', async (vendor, id) => {
  const texts = Array.from({ length: vendor === 'bedrock' ? 3 : 99 }, (_, n) => `wolf ${'abc'[n % 3]} ${n}`)
  const provider = lazyProvider(vendor as ProviderName, accessTo(vendor))
  const embedder = createEmbedder({ name: `${vendor}/${id}`, provider, quietMs: 20_000 })
  const vectors = await embedder.embed(texts)
  expect(vectors.map((vector) => [...vector])).toEqual(
    texts.map((text) => [...Float32Array.from(embeddingOf(text))]),
  )
  const sent = chats()
    .map(({ text }) => text)
    .join('')
  for (const text of texts) expect(sent).toContain(text)
})

it('groq has no embeddings', async () => {
  const provider = lazyProvider('groq', accessTo('groq'))
  const embedder = createEmbedder({ name: 'groq/x', provider, quietMs: 1_000 })
  await expect(embedder.embed(['wolf'])).rejects.toMatchObject({ failure: 'refused' })
})

it.each([
  ['cohere', 'embed-v4.0', 'output_dimension'],
  ['bedrock', 'cohere.embed-v4:0', 'output_dimension'],
] as const)(
  '%s learns whether a text is a document or a question, and the length',
  async (vendor, id, field) => {
    const provider = lazyProvider(vendor, accessTo(vendor))
    const embedder = createEmbedder({ name: `${vendor}/${id}`, provider, dimensions: 256, quietMs: 1_000 })
    stub.refuseEmbeddings = () => ({ status: 400 })
    await embedder.embed(['wolf']).catch(() => {})
    await embedder.embed(['wolf'], undefined, 'question').catch(() => {})
    expect(stub.calls.map(({ body }) => [body.input_type, body[field]])).toEqual([
      ['search_document', 256],
      ['search_query', 256],
    ])
  },
)
