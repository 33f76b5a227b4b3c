import { beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'

const isoForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const noParts = {
  cache_read: null,
  cache_write: null,
  reasoning: null,
  audio_input: null,
  audio_output: null,
}

interface Listed {
  provider: string
  model: string
  aliases: string[]
  from: string
}

describe.each(sharedServers)('prices, on $database', ({ server }) => {
  let admin: Api
  let tenant: Tenant
  let path: string

  beforeAll(async () => {
    admin = Api.admin(server.url)
  })
  beforeAll(async () => {
    tenant = await createTenant(server.url)
    path = `/v1/console/projects/${tenant.projectId}/prices`
  })

  const put = async (body: object, to = path) => (await admin.ok('PUT', to, body)).body
  const list = async (from = path) => (await admin.ok('GET', from)).body
  const builtIn = async (query = ''): Promise<Listed[]> =>
    (await admin.ok('GET', `/v1/console/prices${query}`)).body

  async function newProject(): Promise<string> {
    const { project_id } = (await admin.ok('POST', '/v1/console/projects', { name: 'another' })).body
    return `/v1/console/projects/${project_id}/prices`
  }

  it('of the built-in table contain their source', async () => {
    const rows = await builtIn()
    expect(rows.length).toBeGreaterThan(150)
    expect(rows.find(({ model }) => model === 'text-embedding-3-small')).toEqual({
      provider: 'openai',
      model: 'text-embedding-3-small',
      aliases: [],
      from: '2024-01-25',
      input: 0.02,
      output: null,
      ...noParts,
      long_prompt: null,
      source: 'https://developers.openai.com/api/docs/pricing',
      checked: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      confirmed: true,
    })
    expect(rows.find(({ model }) => model === 'claude-haiku-5-5')).toMatchObject({
      input: 0.1,
      cache_read: 0.01,
      long_prompt: { above: 100_000, input: 0.5, output: 2.5, cache_read: 0.05, cache_write: 0.625 },
    })
    expect(rows.filter(({ model }) => model === 'o3').map(({ from }) => from)).toHaveLength(2)
  })

  it('of the built-in table are filtered by provider and by a part of the name', async () => {
    const ofGoogle = await builtIn('?provider=google')
    expect(new Set(ofGoogle.map(({ provider }) => provider))).toEqual(new Set(['google']))
    const sonnets = await builtIn('?q=%20SONNET-4')
    expect(sonnets.length).toBeGreaterThan(3)
    for (const { model, aliases } of sonnets) expect([model, ...aliases].join()).toContain('sonnet-4')
    expect(await builtIn('?provider=openai&q=sonnet')).toEqual([])
    expect(await builtIn('?q=gpt-4-1106-preview')).toMatchObject([{ model: 'gpt-4-turbo' }])
    expect(await builtIn('?q=&other=1')).toEqual(await builtIn())
    for (const query of ['provider=acme', 'provider=', 'provider=openai&provider=xai', 'q=a&q=b', 'q=%00']) {
      const answer = await admin.get(`/v1/console/prices?${query}`)
      expectRefusal(answer, { status: 400, project: false, names: query.split('=')[0] ?? '' }, query)
    }
  })

  it('of a project are set from a date on and listed, latest start first', async () => {
    const at = await newProject()
    expect(await list(at)).toEqual([])
    const early = await put({ model: 'gpt-4o', start_date: '2024-03-01', input: 1, output: 2 }, at)
    const parts = { cache_read: 0, cache_write: 1.5, reasoning: 6.25, audio_input: 7, audio_output: 0.001 }
    const late = await put({ model: 'gpt-4o', input: 0, output: 1_000_000, ...parts }, at)
    const between = await put(
      { model: 'other', start_date: '2025-06-01T12:00:00+02:00', input: 3, output: 4 },
      at,
    )
    expect(early).toEqual({
      price_id: expect.stringMatching(/^prc_[0-9a-z]{20}$/),
      model: 'gpt-4o',
      start_date: '2024-03-01T00:00:00.000Z',
      input: 1,
      output: 2,
      ...noParts,
      created_at: expect.stringMatching(isoForm),
    })
    expect(late).toMatchObject({ input: 0, output: 1_000_000, ...parts })
    expect(Math.abs(Date.now() - Date.parse(late.start_date))).toBeLessThan(60_000)
    expect(between.start_date).toBe('2025-06-01T10:00:00.000Z')
    expect(await list(at)).toEqual([late, between, early])
    expect(await list(await newProject())).toEqual([])
  })

  it('replace the price of the same model and start date completely', async () => {
    const at = await newProject()
    const start_date = '2026-01-01'
    const first = await put({ model: 'gpt-4o', start_date, input: 1, output: 2, cache_read: 0.5 }, at)
    const again = await put({ model: ' OpenAI/GPT-4o', start_date, input: 5, output: 6, reasoning: 7 }, at)
    expect(again).toEqual({ ...first, input: 5, output: 6, cache_read: null, reasoning: 7 })
    expect(await list(at)).toEqual([again])
    await put({ model: 'gpt-4o-2024-08-06', start_date, input: 1, output: 2 }, at)
    expect(await list(at)).toHaveLength(2)
  })

  it('that are set concurrently result in one price', async () => {
    const at = await newProject()
    const inputs = [1, 2, 3, 4, 5, 6]
    const answers = await Promise.all(
      inputs.map((input) => put({ model: 'gpt-4o', start_date: '2026-01-01', input, output: 1 }, at)),
    )
    expect(new Set(answers.map(({ price_id }) => price_id)).size).toBe(1)
    expect(answers.map(({ input }) => input)).toEqual(inputs)
    const [left, ...others] = await list(at)
    expect(others).toEqual([])
    expect(inputs).toContain(left.input)
  })

  it('treat null as missing and ignore unknown fields', async () => {
    const at = await newProject()
    const body = { model: 'm', start_date: null, input: 1, output: 2, ...noParts, price_id: 'x', nope: true }
    expect(await put(body, at)).toMatchObject({ model: 'm', ...noParts })
    expect(await list(at)).toHaveLength(1)
  })

  it('are deleted once, and only in their project', async () => {
    const [at, elsewhere] = [await newProject(), await newProject()]
    const { price_id } = await put({ model: 'm', input: 1, output: 2 }, at)
    const remove = (from: string) => admin.call('DELETE', `${from}/${price_id}`)
    expectRefusal(await remove(elsewhere), { status: 404, project: false, names: 'price not found' })
    expect(await list(at)).toHaveLength(1)
    expect((await remove(at)).body).toEqual({ success: true, message: 'price deleted' })
    expectRefusal(await remove(at), { status: 404, project: false, names: 'price not found' })
    expect(await list(at)).toEqual([])
  })

  it('are deleted with their project, and require an existing project', async () => {
    const at = await newProject()
    await put({ model: 'm', input: 1, output: 2 }, at)
    await admin.ok('DELETE', at.replace('/prices', ''))
    const body = { model: 'm', input: 1, output: 2 }
    for (const answer of [await admin.get(at), await admin.call('PUT', at, { body })]) {
      expectRefusal(answer, { status: 404, project: false, names: 'project not found' })
    }
  })

  it('are limited to a thousand, but can still be replaced', async () => {
    const at = await newProject()
    const price = (model: string) => ({ model, start_date: '2026-01-01', input: 1, output: 2 })
    for (let i = 0; i < 1000; i += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, n) => put(price(`m${i + n}`), at)))
    }
    const refused = await admin.call('PUT', at, { body: price('one more') })
    expectRefusal(refused, { status: 409, project: false, names: '1000 prices' })
    expect(await list(at)).toHaveLength(1000)
    expect(await put({ ...price('m7'), input: 9 }, at)).toMatchObject({ model: 'm7', input: 9 })
  })
})
