import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ask, lastTrace, upload } from '../support/answers.ts'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { isMade } from '../support/graph.ts'
import { StubProvider } from '../support/provider.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'

const question = 'How many books may a member borrow?'
const key = 'sk-console-7f3a9b21c4d8e6f0-wxyz'
const path = '/v1/console/providers'

interface Listed {
  name: string
  kind: string
  provider: string | null
  configured: boolean
  runs: string | null
}

describe.each(databases)('providers on the console, on $database', ({ env: environment }) => {
  let stub: StubProvider
  let env: Record<string, string>
  let dataDir: string
  let server: Server
  let admin: Api
  let tenant: Tenant
  /** The output of all servers. */
  let written = ''

  const start = async (more: Record<string, string> = {}) => {
    await stop()
    server = await startServer({ env: { ...env, ...more }, dataDir })
    admin = Api.admin(server.url)
  }
  const stop = async () => {
    await server?.stop()
    written += server?.output() ?? ''
  }
  const put = async (provider: string, body: object) =>
    (await admin.ok('PUT', `${path}/${provider}`, body)).body
  const remove = (provider: string) => admin.call('DELETE', `${path}/${provider}`)
  const models = async (): Promise<{
    models: Listed[]
    default_model: string
    embedding_model: string | null
  }> => (await admin.ok('GET', '/v1/console/models')).body
  const model = async (name: string) => (await models()).models.find((one) => one.name === name)
  const attempt = (body: object) => admin.post('/v1/console/models/try', { prompt: 'Say yes.', ...body })
  const openai = () => ({ api_key: key, base_url: `${stub.url}/console/v1` })

  /** The tenant's clients for the server that runs now. */
  const onServer = (known: Tenant): Tenant => ({
    ...known,
    chat: new Api(server.url).withKey(known.chatKey),
    project: new Api(server.url).withKey(known.projectKey),
  })

  beforeAll(async () => {
    stub = await StubProvider.start()
    dataDir = await mkdtemp(join(tmpdir(), 'cairn-providers-'))
    env = { ...(await environment()), CAIRN_MODEL_SECONDS: '4' }
    await start()
    tenant = await createTenant(server.url)
    await upload(tenant, 'lending.md', 'Members may borrow up to twelve books for four weeks.')
  })
  beforeEach(() => {
    stub.calls.length = 0
    stub.script = () => ({ pieces: ['Twelve [^0].'], tokens: { prompt: 100, completion: 20 } })
    tenant = onServer(tenant)
  })
  afterAll(async () => {
    await stop()
    stub.stop()
    await rm(dataDir, { recursive: true, force: true })
    expect(written).not.toContain(key)
    expect(written).not.toMatch(/Say yes|"level":60/)
  })

  it('without any provider, the list contains the models and the models that would run', async () => {
    const list = await models()
    expect(list).toMatchObject({ default_model: 'cairn-extractive', embedding_model: null })
    expect(await model('gpt-4o')).toEqual({
      name: 'gpt-4o',
      kind: 'chat',
      provider: 'openai',
      id: 'gpt-4o',
      configured: false,
      retired: false,
      source: null,
      runs: 'cairn-extractive',
      is_default: false,
      context_window: 128_000,
      price: { input: 2.5, output: 10 },
      credits_multiplier: 15,
    })
    expect(await model('cairn-extractive')).toMatchObject({
      provider: null,
      configured: true,
      is_default: true,
    })
    expect(await model('openai/text-embedding-3-small')).toMatchObject({
      kind: 'embedding',
      configured: false,
      price: { input: 0.02, output: null },
      credits_multiplier: null,
    })
    const { body } = await admin.ok('GET', path)
    expect(body.map(({ provider }: { provider: string }) => provider)).toEqual([
      'openai',
      'anthropic',
      'google',
      'compatible',
      'azure',
      'bedrock',
      'vertex',
      'mistral',
      'groq',
      'openrouter',
      'cohere',
    ])
    for (const one of body)
      expect(one).toMatchObject({ configured: false, source: null, api_key_last4: null })
  })

  it('take effect at once for answers, health, scorers and settings, and are deleted at once', async () => {
    const set = await put('openai', { ...openai(), models: [{ name: 'tuned', id: 'ft:gpt-4o:x' }] })
    expect(set).toEqual({
      provider: 'openai',
      configured: true,
      source: 'console',
      api_key_last4: 'wxyz',
      base_url: `${stub.url}/console/v1`,
      headers: [],
      options: {},
      models: [{ name: 'tuned', id: 'ft:gpt-4o:x' }],
      problem: null,
      updated_at: expect.stringMatching(/Z$/),
    })
    expect((await admin.ok('GET', `${path}/openai`)).body).toEqual(set)
    expect((await admin.ok('GET', '/v1/health')).body.services.models).toBe('provider')
    expect(await models()).toMatchObject({ default_model: 'gpt-4o-mini' })
    expect(await model('claude-3-opus')).toMatchObject({ configured: false, runs: 'gpt-4o-mini' })
    expect(await model('tuned')).toMatchObject({ configured: true, source: 'console', runs: 'ft:gpt-4o:x' })
    const { body } = await ask(tenant, question, { selected_model: 'tuned' })
    expect(body).toMatchObject({ model: 'ft:gpt-4o:x', answer: 'Twelve [^0].' })
    expect(stub.calls[0]).toMatchObject({
      path: '/console/v1/chat/completions',
      headers: { authorization: `Bearer ${key}` },
    })
    await tenant.chat.ok('POST', `/v1/${tenant.chatId}/settings`, { selected_model: 'tuned' })
    await tenant.chat.ok('POST', `/v1/${tenant.chatId}/settings`, { selected_model: 'gpt-4o-mini' })
    stub.script = () => ({ pieces: ['{"score":0.5,"reasoning":"so so"}'] })
    const request = { scorer_slug: 'helpfulness', input: 'a', output: 'b' }
    const score = () => tenant.project.ok('POST', `/v1/${tenant.projectId}/score-with-judge`, request)
    expect((await score()).body).toMatchObject({ method: 'model', model: 'gpt-4o-mini', score: 0.5 })

    expect((await remove('openai')).body).toEqual({ success: true, message: 'provider deleted' })
    expectRefusal(await remove('openai'), { status: 404, project: false, names: 'openai' })
    expect((await admin.ok('GET', '/v1/health')).body.services.models).toBe('local')
    expect((await score()).body).toMatchObject({ method: 'local' })
    const unknown = await ask(tenant, question, { selected_model: 'tuned' })
    expectRefusal(unknown, { status: 400, project: false, names: 'selected_model' })
    expect((await ask(tenant, question)).body.model).toBe('cairn-extractive')
  })

  it('list a configured name with the price and the multiplier of the model that it stands for', async () => {
    const models = [{ name: 'large', id: 'gpt-4o' }]
    await put('openai', { ...openai(), models })
    expect(await model('large')).toMatchObject({ price: { input: 2.5, output: 10 }, credits_multiplier: 15 })
    await remove('openai')
  })

  it('are tested with one short call that returns only the error code of the provider', async () => {
    await put('openai', openai())
    const good = await attempt({ model: 'gpt-4o', max_tokens: 7, temperature: 0 })
    expect(good.body).toEqual({
      model: 'gpt-4o',
      output: 'Twelve [^0].',
      latency_ms: expect.any(Number),
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, credits: 1.8 },
      cost: (100 * 2.5 + 20 * 10) / 1e6,
    })
    expect(stub.calls[0]?.body).toMatchObject({ model: 'gpt-4o', max_tokens: 7, temperature: 0 })
    const refused = (code: string) => ({ error: { message: `bad key ${key}`, type: 'x', code } })
    for (const [script, says] of [
      [{ refuse: { status: 401, body: refused('invalid_api_key') } }, '401 (invalid_api_key)'],
      [{ refuse: { status: 404, body: refused('model_not_found') } }, '404 (model_not_found)'],
      [{ pieces: [], ending: 'hang' }, 'did not answer in time'],
      [{ pieces: ['half'], ending: 'cut' }, 'cut off'],
    ] as const) {
      stub.script = () => script
      const answer = await attempt({ model: 'gpt-4o' })
      expectRefusal(answer, { status: 502, project: false, names: says })
      expect(answer.text).not.toContain(key)
    }
    const none = await attempt({ model: 'gpt-99' })
    expectRefusal(none, { status: 400, project: false, names: 'model' })
    const missing = await attempt({ model: 'claude-3-opus' })
    expectRefusal(missing, { status: 409, project: false, names: 'anthropic, which is not configured' })
    expect((await attempt({ model: 'cairn-extractive' })).body).toMatchObject({
      cost: null,
      usage: { credits: 0 },
    })
    const { body: traces } = await tenant.project.ok('GET', `/v1/${tenant.projectId}/analytics/traces`)
    expect(JSON.stringify(traces)).not.toContain('Say yes')
    await remove('openai')
  })

  it('keep an omitted key, and never send it to another server', async () => {
    await put('openai', openai())
    const { base_url } = openai()
    const kept = await put('openai', { base_url, models: [{ name: 'other' }] })
    expect(kept).toMatchObject({ api_key_last4: 'wxyz', models: [{ name: 'other', id: 'other' }] })
    expect((await attempt({ model: 'other' })).status).toBe(200)
    expect(stub.calls[0]?.headers.authorization).toBe(`Bearer ${key}`)
    for (const elsewhere of ['http://127.0.0.1:9/v1', undefined]) {
      const moved = await admin.call('PUT', `${path}/openai`, { body: { base_url: elsewhere } })
      expectRefusal(moved, { status: 400, project: false, names: 'api_key is required' })
    }
    expect((await admin.ok('GET', `${path}/openai`)).body).toEqual(kept)
    await remove('openai')
    for (const name of ['openai', 'anthropic', 'google']) {
      const answer = await admin.call('PUT', `${path}/${name}`, { body: {} })
      expectRefusal(answer, { status: 400, project: false, names: 'api_key is required' })
    }
  })

  it('of a compatible server accept a private address and need no key', async () => {
    const local = { base_url: `${stub.url}/local`, models: [{ name: 'llama', id: 'org/llama:3b' }] }
    expect(await put('compatible', local)).toMatchObject({ configured: true, api_key_last4: null })
    expect((await ask(tenant, question, { selected_model: 'llama' })).body.model).toBe('org/llama:3b')
    expect(stub.calls[0]?.path).toBe('/local/chat/completions')
    expect(stub.calls[0]?.headers.authorization).toBeUndefined()
    // Nothing of a short key is returned.
    expect(await put('compatible', { ...local, api_key: 'short' })).toMatchObject({ api_key_last4: null })
    await remove('compatible')
  })

  it('with an unknown name are rejected', async () => {
    for (const name of [
      'no_pe',
      'constructor',
      'toString',
      'OpenAI',
      '%2e%2e',
      'local',
      '-a',
      'a'.repeat(41),
    ]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const body = method === 'PUT' ? { body: openai() } : {}
        const answer = await admin.call(method, `${path}/${name}`, body)
        expectRefusal(answer, { status: [400, 404], project: false })
      }
    }
  })

  it('can be any number of named servers, whose models are named after them', async () => {
    const header = 'Basic c2VjcmV0LWhlYWRlcg=='
    const one = { base_url: `${stub.url}/one/v1`, api_key: key, models: [{ name: 'llama-3.3-70b' }] }
    const two = {
      base_url: `${stub.url}/two/v1`,
      headers: { 'X-Proxy-Auth': header },
      models: [{ name: 'llama-3.3-70b', id: 'org/llama:70b' }],
    }
    for (const method of ['GET', 'DELETE']) {
      const missing = await admin.call(method, `${path}/groq-internal`)
      expectRefusal(missing, { status: 404, project: false, names: 'provider' })
    }
    expectRefusal(await admin.call('PUT', `${path}/groq-internal`, { body: { api_key: key } }), {
      status: 400,
      project: false,
      names: 'base_url',
    })
    await put('groq-internal', one)
    expect(await put('edge', two)).toMatchObject({
      provider: 'edge',
      headers: ['X-Proxy-Auth'],
      configured: true,
    })
    const { body: list } = await admin.ok('GET', path)
    expect(list.slice(-2).map(({ provider }: { provider: string }) => provider)).toEqual([
      'edge',
      'groq-internal',
    ])
    expect(await model('groq-internal/llama-3.3-70b')).toMatchObject({
      provider: 'groq-internal',
      configured: true,
    })
    const selected_model = 'edge/llama-3.3-70b'
    expect((await ask(tenant, question, { selected_model })).body.model).toBe('edge/org/llama:70b')
    await ask(tenant, question, { selected_model: 'groq-internal/llama-3.3-70b' })
    expect(
      stub.calls.map(({ path, headers, body }) => [
        path,
        body.model,
        headers.authorization,
        headers['x-proxy-auth'],
      ]),
    ).toEqual([
      ['/two/v1/chat/completions', 'org/llama:70b', undefined, header],
      ['/one/v1/chat/completions', 'llama-3.3-70b', `Bearer ${key}`, undefined],
    ])
    // Headers are kept and bound to their server like a key, and disclosed nowhere.
    const { headers: _, ...withoutHeaders } = two
    expect(await put('edge', withoutHeaders)).toMatchObject({ headers: ['X-Proxy-Auth'] })
    const elsewhere = { ...withoutHeaders, base_url: 'http://127.0.0.1:9/v1' }
    const moved = await admin.call('PUT', `${path}/edge`, { body: elsewhere })
    expectRefusal(moved, { status: 400, project: false, names: 'headers' })
    const { text: audit } = await admin.ok('GET', '/v1/console/audit?limit=100')
    for (const place of [audit, await bytesOfDatabase(), JSON.stringify(list), server.output()]) {
      expect(place).not.toContain(header)
    }
    expect(await put('edge', { ...two, headers: {} })).toMatchObject({ headers: [] })
    for (const headers of [{ Host: 'a' }, { 'a b': 'c' }, { a: 'é' }]) {
      const refused = await admin.call('PUT', `${path}/edge`, { body: { ...two, headers } })
      expectRefusal(refused, { status: 400, project: false, names: 'headers' })
    }
    await remove('edge')
    await remove('groq-internal')
    const unknown = await ask(tenant, question, { selected_model })
    expectRefusal(unknown, { status: 400, project: false, names: 'selected_model' })
  })

  it('of the environment can be named servers and vendors with options of their own', async () => {
    await start({
      CAIRN_MODEL_SERVERS: JSON.stringify({
        'groq-internal': { base_url: `${stub.url}/one/v1`, api_key: key, models: ['a', 'b=org/b:7b'] },
      }),
      BEDROCK_API_KEY: 'bedrock-secret-access-key',
      BEDROCK_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
      BEDROCK_REGION: 'eu-central-1',
      BEDROCK_BASE_URL: stub.url,
      BEDROCK_MODELS: 'claude=eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
    })
    tenant = onServer(tenant)
    expect((await admin.ok('GET', `${path}/groq-internal`)).body).toMatchObject({
      source: 'environment',
      api_key_last4: 'wxyz',
    })
    expect((await ask(tenant, question, { selected_model: 'groq-internal/b' })).body.model).toBe(
      'groq-internal/org/b:7b',
    )
    expect((await admin.ok('GET', `${path}/bedrock`)).body).toMatchObject({
      options: { region: 'eu-central-1', access_key_id: 'AKIAIOSFODNN7EXAMPLE' },
      api_key_last4: '-key',
    })
    const answer = await ask(tenant, question, { selected_model: 'bedrock/claude' })
    expect(answer.body).toMatchObject({
      answer: 'Twelve [^0].',
      model: 'bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
    })
    expect((await lastTrace(tenant)).cost).toBeGreaterThan(0)
    await start()
  })

  it('of vendors need the options that their addresses consist of, and no others', async () => {
    const bedrock = { api_key: key, options: { region: 'eu-central-1' } }
    expect(await put('bedrock', bedrock)).toMatchObject({ options: bedrock.options, base_url: null })
    await remove('bedrock')
    for (const [name, body, names] of [
      ['bedrock', { api_key: key }, 'options.region'],
      ['bedrock', { api_key: key, options: { region: 'a.example.com/' } }, 'options.region'],
      ['bedrock', { api_key: key, options: { region: 'a', zone: 'b' } }, 'options.zone'],
      ['bedrock', { api_key: key, options: { region: 'a', constructor: 'b' } }, 'options.constructor'],
      ['mistral', { api_key: key, options: { region: 'a' } }, 'options.region'],
      ['azure', { api_key: key }, 'base_url'],
      ['vertex', { api_key: '{"type": "service_account"}' }, 'api_key'],
      ['cohere', {}, 'api_key'],
    ] as const) {
      expectRefusal(await admin.call('PUT', `${path}/${name}`, { body }), {
        status: 400,
        project: false,
        names,
      })
    }
  })

  it('never disclose the key in the audit log, in responses, in the log, or in the database', async () => {
    const set = await put('openai', openai())
    await attempt({ model: 'gpt-4o', prompt: 'a very private prompt' })
    const { text } = await admin.ok('GET', '/v1/console/audit?limit=100')
    expect(text).toContain('"action":"POST /v1/console/models/try"')
    expect(text).toContain('"api_key":"[removed]"')
    const answers = [text, JSON.stringify(set), (await admin.get(path)).text, server.output()]
    for (const place of answers) {
      expect(place).not.toContain(key)
      expect(place).not.toContain('very private prompt')
    }
    const stored = await bytesOfDatabase()
    // Proves that such a search finds written data.
    expect(stored).toContain(openai().base_url)
    expect(stored).not.toContain(key)
    expect(stored).not.toContain('very private prompt')
    await remove('openai')
  })

  /** The content of the database files or tables. */
  async function bytesOfDatabase(): Promise<string> {
    if (env.DATABASE_URL === undefined) {
      const names = (await readdir(dataDir)).filter((name) => name.startsWith('cairn.db'))
      const files = await Promise.all(names.map((name) => readFile(join(dataDir, name), 'latin1')))
      return files.join('\n')
    }
    const client = new pg.Client({ connectionString: env.DATABASE_URL })
    await client.connect()
    const tables = await client.query("select tablename from pg_tables where schemaname = 'public'")
    const rows = await Promise.all(
      tables.rows.map(({ tablename }) => client.query(`select t::text as row from "${tablename}" t`)),
    )
    await client.end()
    return rows.flatMap((result) => result.rows.map(({ row }) => row)).join('\n')
  }

  it('compute vectors of existing documents and relate their passages after their configuration', async () => {
    await start({ CAIRN_EMBEDDING_MODEL: 'openai/embed-1', CAIRN_RELATIONSHIPS: 'model' })
    tenant = await createTenant(server.url)
    expect(await models()).toMatchObject({ embedding_model: null })
    await upload(tenant, 'fox.txt', 'vulpine')
    // Loads the index, which has no vectors yet.
    await ask(tenant, 'vulpine')
    expect(stub.at('embeddings')).toHaveLength(0)
    await put('openai', openai())
    expect(await models()).toMatchObject({ embedding_model: 'openai/embed-1' })
    await vi.waitFor(
      async () => {
        await tenant.chat.ok('POST', `/v1/${tenant.chatId}/search`, { query: 'vulpine' })
        expect(stub.at('embeddings').map(({ body }) => body.input)).toContainEqual(['vulpine'])
      },
      { timeout: 20_000, interval: 200 },
    )
    stub.script = () => ({ pieces: ['{"relations":[]}'] })
    const paragraphs = ['first', 'second'].map((word) => `The ${word} part. ${`${word} words `.repeat(80)}`)
    await upload(tenant, 'two.txt', paragraphs.join('\n\n'))
    await vi.waitFor(() => expect(stub.at('chat/completions').length).toBeGreaterThan(0), {
      timeout: 20_000,
      interval: 200,
    })
    const { relationships } = (await admin.ok('GET', `/graph_data/${tenant.chatId}`)).body
    expect(relationships.filter(isMade)).toEqual([])
    await remove('openai')
    expect(await models()).toMatchObject({ embedding_model: null })
  })

  it('override the environment until they are deleted', async () => {
    await start({
      OPENAI_API_KEY: 'sk-of-the-environment-abcd',
      OPENAI_BASE_URL: `${stub.url}/environment/v1`,
    })
    const fromEnvironment = (await admin.ok('GET', `${path}/openai`)).body
    expect(fromEnvironment).toMatchObject({
      configured: true,
      source: 'environment',
      api_key_last4: 'abcd',
      updated_at: null,
    })
    expect(await model('gpt-4o')).toMatchObject({ source: 'environment' })
    await put('openai', openai())
    await attempt({ model: 'gpt-4o' })
    await remove('openai')
    await attempt({ model: 'gpt-4o' })
    expect(stub.calls.map((call) => call.path.split('/')[1])).toEqual(['console', 'environment'])
    expect((await admin.ok('GET', `${path}/openai`)).body).toEqual(fromEnvironment)
    await start()
  })

  it('are seen by another server on the same database within seconds', async () => {
    const other = await startServer({ env, dataDir })
    try {
      const there = Api.admin(other.url)
      const healthThere = async () => (await there.ok('GET', '/v1/health')).body.services.models
      const wait = { timeout: 10_000, interval: 200 }
      expect(await healthThere()).toBe('local')
      await put('openai', openai())
      await vi.waitFor(async () => expect(await healthThere()).toBe('provider'), wait)
      const tried = await there.ok('POST', '/v1/console/models/try', { model: 'gpt-4o', prompt: 'Say yes.' })
      expect(tried.body.output).toBe('Twelve [^0].')
      await remove('openai')
      await vi.waitFor(async () => expect(await healthThere()).toBe('local'), wait)
    } finally {
      await other.stop()
      written += other.output()
    }
  })

  it('survive a restart; with another encryption key they report it, and can be set again', async () => {
    await put('openai', openai())
    await start()
    expect((await attempt({ model: 'gpt-4o' })).status).toBe(200)
    const lost = { CAIRN_ENCRYPTION_KEY: randomBytes(32).toString('base64') }
    await start({ ...lost, OPENAI_API_KEY: 'sk-of-the-environment-abcd', OPENAI_BASE_URL: stub.url })
    expect(server.output()).toMatch(/"level":50.*"provider":"openai".*encryption key/)
    expect((await admin.ok('GET', `${path}/openai`)).body).toMatchObject({
      configured: false,
      source: 'console',
      problem: expect.stringContaining('another encryption key'),
    })
    const tried = await attempt({ model: 'gpt-4o' })
    expectRefusal(tried, { status: 409, project: false, names: 'another encryption key' })
    const asked = new Api(server.url).withKey(tenant.chatKey)
    const answer = await asked.ok('POST', `/v1/${tenant.chatId}/answer_question`, { question: 'vulpine?' })
    expect(answer.body.model).toBe('cairn-extractive')
    await put('openai', openai())
    expect((await attempt({ model: 'gpt-4o' })).status).toBe(200)
    await remove('openai')
    await start()
  })

  it('cannot be deleted if the default model needs them', async () => {
    const local = { base_url: `${stub.url}/local`, models: [{ name: 'llama' }] }
    await put('compatible', local)
    await start({ CAIRN_DEFAULT_MODEL: 'llama' })
    expect(await models()).toMatchObject({ default_model: 'llama' })
    const without = await admin.call('PUT', `${path}/compatible`, { body: { base_url: local.base_url } })
    for (const answer of [await remove('compatible'), without]) {
      expectRefusal(answer, { status: 409, project: false, names: 'the model llama must stay in models' })
    }
    expect(await models()).toMatchObject({ default_model: 'llama' })
    await start()
    await remove('compatible')
  })
})
