import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { StubProvider } from '../support/provider.ts'
import { embeddingOf } from '../support/provider-wire.ts'
import { expectRefusal } from '../support/refusal.ts'
import { logLines, type Server, startServer } from '../support/server.ts'
import { tamper } from '../support/tamper.ts'

const dimensions = 256
const wait = { timeout: 20_000, interval: 100 }
const place = (word: string, size = dimensions) => embeddingOf(word, size).findIndex((value) => value > 1)

/** A word with the same vector as another word in the stub of the model, but with different letters. */
function synonymOf(word: string, ...sizes: number[]): string {
  for (let number = 0; ; number++) {
    const other = `q${number.toString(26).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}z`
    if (sizes.every((size) => place(other, size) === place(word, size))) return other
  }
}

describe.each(databases)('vectors of an embedding model, on $database', ({ env }) => {
  let provider: StubProvider
  let environment: Record<string, string>
  let dataDir: string
  let server: Server
  let tenant: Tenant

  const start = async (more: Record<string, string | undefined> = {}) => {
    await server?.stop()
    const model = { CAIRN_EMBEDDING_MODEL: 'openai/embed-1', CAIRN_EMBEDDING_DIMENSIONS: `${dimensions}` }
    server = await startServer({ env: { ...environment, ...provider.env(), ...model, ...more }, dataDir })
    if (tenant) tenant = { ...tenant, chat: new Api(server.url).withKey(tenant.chatKey) }
  }
  const upload = (name: string, text: string) =>
    tenant.chat.call('POST', `/v1/${tenant.chatId}/upload_with_scopes`, { body: uploadForm(name, text) })
  const search = async (query: string): Promise<{ filename: string; score: number }[]> =>
    (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/search`, { query })).body.results
  const found = async (query: string) => (await search(query)).map(({ filename }) => filename)
  const untilFound = async (name: string, query: string) => {
    const end = Date.now() + 20_000
    while (!(await found(query)).includes(name)) {
      if (Date.now() > end) throw new Error(`${query} never found ${name}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const embedded = () => provider.at('embeddings').length

  beforeAll(async () => {
    provider = await StubProvider.start()
    dataDir = await mkdtemp(join(tmpdir(), 'cairn-embeddings-'))
    environment = await env()
    await start()
    tenant = await createTenant(server.url)
  })
  afterAll(async () => {
    await server?.stop()
    provider.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('find text with a similar vector and no common word, directly after the upload', async () => {
    expect((await upload('fox.txt', 'vulpine')).status).toBe(200)
    expect((await upload('owl.txt', 'strigine')).status).toBe(200)
    const [first, ...others] = await search(synonymOf('vulpine', dimensions))
    expect(first?.filename).toBe('fox.txt')
    expect(first?.score).toBeGreaterThan(0.5)
    expect(first?.score).toBeLessThanOrEqual(1)
    expect(others).toEqual([])
  })

  it('are requested once per question', async () => {
    const query = synonymOf('strigine', dimensions)
    await search(query)
    const before = embedded()
    await search(query)
    expect(embedded()).toBe(before)
  })

  it('fail the upload if the model fails, and nothing is stored', async () => {
    provider.refuseEmbeddings = () => ({ status: 400, body: { error: { message: 'sk-openai-secret-key' } } })
    const answer = await upload('lost.txt', 'lost words')
    provider.refuseEmbeddings = () => undefined
    expectRefusal(answer, { status: 500, names: 'embed' })
    expect(answer.text).not.toContain('secret')
    const { files } = (await tenant.chat.ok('GET', `/v1/${tenant.chatId}/files`)).body
    expect(files.map(({ filename }: { filename: string }) => filename).sort()).toEqual(['fox.txt', 'owl.txt'])
    expect((await upload('lost.txt', 'lost words')).status).toBe(200)
  })

  it('are requested once for a text whose id is taken at its first attempt', async () => {
    const request = { chat_id: tenant.chatId, pdf_id: 'abandoned', filename: 'sheep.txt', pdf_text: 'ovine' }
    // Another document holds the id. It is abandoned, so the text gets the id at its second attempt.
    await tamper(
      { dataDir, env: environment },
      `insert into document_rows (chat_id, file_id, filename, sha256, size_bytes, chunk_count, scope_values, created_at,
         state, lease_until)
       values ('${tenant.chatId}', 'abandoned', 'a.txt', '', 1, 1, '{}', 1, 'writing', 1)`,
    )
    const before = embedded()
    const { body } = await Api.admin(server.url).ok('POST', '/create_nodes_and_embeddings', request)
    expect(body).toMatchObject({ file_id: 'abandoned', duplicate_skipped: false })
    expect(embedded() - before).toBe(1)
    expect(await found(synonymOf('ovine', dimensions))).toEqual(['sheep.txt'])
    await tenant.chat.ok('DELETE', `/v1/${tenant.chatId}/files/abandoned`)
  })

  it('are not used for a question that cannot be embedded, which is searched by its words', async () => {
    provider.refuseEmbeddings = () => ({ status: 400 })
    expect(await found('strigine birds')).toEqual(['owl.txt'])
    const headers = { 'x-request-id': 'not-embedded' }
    await tenant.chat.call('POST', `/v1/${tenant.chatId}/search`, { body: { query: 'strigine' }, headers })
    provider.refuseEmbeddings = () => undefined
    // A line of a service, not of the request's own logger. It may arrive after the response.
    const failures = () => logLines(server).filter(({ msg }) => msg === 'a question could not be embedded')
    await expect.poll(() => failures().at(-1)).toMatchObject({ request_id: 'not-embedded' })
    expect(server.output()).not.toContain('strigine')
  })

  it('are computed again for a changed text', async () => {
    const { nodes } = (await Api.admin(server.url).ok('GET', `/graph_data/${tenant.chatId}`)).body
    const chunk = nodes.find(
      ({ properties }: { properties: { text?: string } }) => properties.text === 'lost words',
    )
    await Api.admin(server.url).ok('PUT', `/update_node/${chunk.id}`, { text: 'ursine' })
    await untilFound('lost.txt', synonymOf('ursine', dimensions))
  })

  it('are computed for documents from before the model, and again if the model changes', async () => {
    await start({ CAIRN_EMBEDDING_MODEL: undefined, CAIRN_EMBEDDING_DIMENSIONS: undefined })
    expect((await upload('later.txt', 'lupine')).status).toBe(200)
    expect(await found(synonymOf('vulpine', dimensions))).toEqual([])
    await start()
    await untilFound('later.txt', synonymOf('lupine', dimensions))
    // Words that are equal for both sizes of vectors are found before, during and after the change.
    const query = synonymOf('vulpine', dimensions, 512)
    expect(await found(query)).toContain('fox.txt')
    await start({ CAIRN_EMBEDDING_DIMENSIONS: '512' })
    const end = Date.now() + 20_000
    const isChanged = async () => (await found(synonymOf('lupine', 512))).includes('later.txt')
    do expect(await found(query)).toContain('fox.txt')
    while (!(await isChanged()) && Date.now() < end)
    expect(await isChanged()).toBe(true)
    expect(await found(query)).toContain('fox.txt')
  })

  const admin = () => Api.admin(server.url)
  const progress = async () => (await admin().ok('GET', `/v1/console/chats/${tenant.chatId}/embedding`)).body
  const untilReady = (model: string) =>
    vi.waitFor(
      async () => expect(await progress()).toMatchObject({ state: 'ready', model, in_use: model }),
      wait,
    )
  const choose = (embedding_model: string | null) =>
    tenant.chat.ok('POST', `/v1/${tenant.chatId}/settings`, { embedding_model })
  const chooseForServer = async (embedding_model: string | null) =>
    (await admin().ok('PUT', '/v1/console/models/defaults', { embedding_model })).body
  const callsTo = (model: string) => provider.at('embeddings').filter(({ body }) => body.model === model)

  it('of the model that a chat chooses are computed at once, and the old ones are used meanwhile', async () => {
    await start()
    await found('vulpine')
    await untilReady(`openai/embed-1@${dimensions}`)
    const { chunks } = await progress()
    expect(chunks).toBeGreaterThan(3)
    const query = synonymOf('vulpine', dimensions, 512)
    provider.refuseEmbeddings = () => (callsTo('embed-2').length > 0 ? { status: 401 } : undefined)
    await choose('openai/embed-2@512')
    await vi.waitFor(async () => expect(await progress()).toMatchObject({ state: 'failing' }), wait)
    const failing = await progress()
    expect(failing).toMatchObject({
      model: 'openai/embed-2@512',
      in_use: `openai/embed-1@${dimensions}`,
      chunks,
      embedded: 0,
      error: expect.stringMatching(
        /^the model openai\/embed-2 rejected the request: the provider answered 401/,
      ),
    })
    expect(Date.parse(failing.next_attempt_at)).toBeGreaterThan(0)
    // It is tried again.
    await vi.waitFor(() => expect(callsTo('embed-2').length).toBeGreaterThan(1), wait)
    provider.refuseEmbeddings = () => undefined
    expect(await found(query)).toContain('fox.txt')
    // A choice that changes meanwhile replaces the unfinished one.
    await choose('openai/embed-3@512')
    await untilReady('openai/embed-3@512')
    expect(await progress()).toMatchObject({ chunks, embedded: chunks, error: null, next_attempt_at: null })
    expect(await found(query)).toContain('fox.txt')
    // A draft changes nothing before it is published.
    const draft = { settings: { embedding_model: 'none' } }
    await admin().ok('PATCH', `/v1/console/chats/${tenant.chatId}`, draft)
    expect(await progress()).toMatchObject({ state: 'ready', model: 'openai/embed-3@512' })
    await choose('none')
    expect(await progress()).toMatchObject({ state: 'off', model: null, in_use: null, chunks })
    expect(await found(query)).toEqual([])
    await choose(null)
    await untilReady(`openai/embed-1@${dimensions}`)
  })

  it('are completed after the process was killed while it computed them', async () => {
    const lease = { CAIRN_JOB_LEASE_SECONDS: '2' }
    await start(lease)
    let kill = () => {}
    const killed = new Promise<void>((resolve) => {
      kill = resolve
    })
    // The second document never gets its vectors from this process.
    provider.beforeEmbedding = () => {
      if (callsTo('embed-4').length < 2) return undefined
      kill()
      return new Promise(() => {})
    }
    await choose('openai/embed-4')
    await killed
    const { chunks, embedded } = await progress()
    expect(embedded).toBeGreaterThan(0)
    expect(embedded).toBeLessThan(chunks)
    await server.kill()
    provider.beforeEmbedding = () => undefined
    const [first] = callsTo('embed-4')
    await start(lease)
    await untilReady('openai/embed-4')
    const inputs = callsTo('embed-4').map(({ body }) => JSON.stringify(body.input))
    expect(inputs.filter((input) => input === JSON.stringify(first?.body.input))).toHaveLength(1)
    await choose(null)
    await start()
  })

  it('of the model that the console chooses for the server are computed for all chats that follow it', async () => {
    const other = await createTenant(server.url)
    await other.chat.ok('POST', `/v1/${other.chatId}/settings`, { embedding_model: 'openai/embed-5' })
    await other.chat.call('POST', `/v1/${other.chatId}/upload_with_scopes`, {
      body: uploadForm('a.txt', 'ovine'),
    })
    expect(await chooseForServer('openai/embed-6@64')).toEqual({
      default_model: null,
      embedding_model: 'openai/embed-6@64',
    })
    await untilReady('openai/embed-6@64')
    const { chunks } = await progress()
    const ofServer = async () => (await admin().ok('GET', '/v1/console/embedding')).body
    await vi.waitFor(async () => {
      const all = await ofServer()
      expect(all).toMatchObject({
        model: 'openai/embed-6@64',
        failing: [],
        ready: all.chats,
        embedded: all.chunks,
      })
    }, wait)
    expect((await ofServer()).chunks).toBe(chunks)
    expect(callsTo('embed-6').flatMap(({ body }) => body.input)).not.toContain('ovine')
    // The choice of the console outlives the process, and the environment applies again after it.
    await start()
    expect(await progress()).toMatchObject({ state: 'ready', model: 'openai/embed-6@64' })
    await chooseForServer('none')
    expect(await progress()).toMatchObject({ state: 'off' })
    await chooseForServer(null)
    await untilReady(`openai/embed-1@${dimensions}`)
    for (const [choice, names] of [
      ['anthropic/x', 'anthropic'],
      ['mistral/x', 'not configured'],
    ] as const) {
      const body = { embedding_model: choice }
      const refused = await admin().call('PUT', '/v1/console/models/defaults', { body })
      expectRefusal(refused, { status: 400, project: false, names })
      const inChat = await tenant.chat.call('POST', `/v1/${tenant.chatId}/settings`, { body })
      expectRefusal(inChat, { status: 400, names: 'embedding_model' })
    }
  })

  it('are not used while the API key is missing', async () => {
    await start({
      CAIRN_EMBEDDING_MODEL: undefined,
      CAIRN_EMBEDDING_DIMENSIONS: undefined,
      OPENAI_API_KEY: undefined,
    })
    expect(await found('strigine')).toEqual(['owl.txt'])
  })
})
