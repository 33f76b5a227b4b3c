import { afterEach, beforeEach, expect, it } from 'vitest'
import { StubProvider } from '../../../e2e/support/provider.ts'
import { embeddingOf } from '../../../e2e/support/provider-wire.ts'
import { createEmbedder } from './embedder.ts'
import type { ProviderName } from './provider.ts'
import { lazyProvider } from './providers.ts'

let stub: StubProvider
beforeEach(async () => {
  stub = await StubProvider.start()
})
afterEach(() => stub.stop())

function embedder(name: string, dimensions?: number) {
  const provider = name.split('/')[0] as ProviderName
  const access = { apiKey: 'sk-secret-key', baseUrl: `${stub.url}/v1` }
  return createEmbedder({ name, provider: lazyProvider(provider, access), dimensions, quietMs: 2000 })
}

it.each(['openai/text-embedding-3-small', 'google/gemini-embedding-001', 'compatible/BAAI/bge-m3'])(
  'vectors of %s come in the order of the texts',
  async (name) => {
    const model = embedder(name)
    expect(model.id).toBe(name)
    const texts = ['red apples', 'green pears', 'a lamp']
    const vectors = await model.embed(texts)
    expect(vectors).toEqual(texts.map((text) => Float32Array.from(embeddingOf(text))))
    expect(await model.embed(['one text'])).toEqual([Float32Array.from(embeddingOf('one text'))])
    expect(await model.embed([])).toEqual([])
    expect(stub.calls).toHaveLength(2)
  },
)

it('the provider receives the model name after the first slash, the key, and the requested length', async () => {
  const model = embedder('compatible/BAAI/bge-m3', 5)
  const [vector] = await model.embed(['x'])
  expect(vector).toHaveLength(5)
  expect(model).toMatchObject({ id: 'compatible/BAAI/bge-m3@5', dimensions: 5 })
  expect(stub.calls[0]?.body).toMatchObject({ model: 'BAAI/bge-m3', dimensions: 5 })
  expect(stub.calls[0]?.headers.authorization).toBe('Bearer sk-secret-key')
})

it('many and long texts are sent in several calls', async () => {
  const model = embedder('openai/text-embedding-3-small')
  const texts = Array.from({ length: 250 }, (_, i) => `text ${'x'.repeat(i)}`)
  expect(await model.embed(texts)).toEqual(texts.map((text) => Float32Array.from(embeddingOf(text))))
  expect(stub.calls).toHaveLength(3)
  await model.embed(['y'.repeat(150_000), 'z'.repeat(150_000)])
  expect(stub.calls).toHaveLength(5)
})

it('a temporary failure is tried again; other failures do not repeat the text of the provider', async () => {
  const model = embedder('openai/text-embedding-3-small')
  stub.refuseEmbeddings = (number) => (number === 1 ? { status: 429 } : undefined)
  expect(await model.embed(['a'])).toHaveLength(1)
  expect(stub.calls).toHaveLength(2)
  const body = { error: { message: 'Incorrect API key provided: sk-secr****-key', code: 'invalid_api_key' } }
  stub.refuseEmbeddings = () => ({ status: 401, body })
  const error = await model.embed(['a']).catch((thrown) => thrown)
  expect(error).toMatchObject({ code: 'model_failed', status: 502, failure: 'refused' })
  expect(error.detail).toBe('the provider answered 401 (invalid_api_key)')
  expect(JSON.stringify(error) + error.stack + error.cause.stack).not.toMatch(/sk-s|Incorrect/)
  expect(stub.calls).toHaveLength(3)
})

it.each([
  ['not finite', { data: [{ embedding: [1e308, 1] }] }],
  ['too long', { data: [{ embedding: Array.from({ length: 30_000 }, () => 1) }] }],
  [
    'beside too many other values',
    { data: [{ embedding: [1] }], x: Array.from({ length: 60_000 }, () => []) },
  ],
])('numbers that are %s are a failure of the provider', async (_, body) => {
  stub.refuseEmbeddings = () => ({ status: 200, body })
  await expect(embedder('openai/text-embedding-3-small').embed(['a'])).rejects.toMatchObject({
    failure: 'broken',
  })
})

it('ends with the signal of the caller', async () => {
  const model = embedder('openai/text-embedding-3-small')
  await expect(model.embed(['a'], AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
})
