import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, lastTrace, upload } from '../support/answers.ts'
import { Api, createTenant, parseEvents, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { LiveStream } from '../support/live-stream.ts'
import { StubProvider } from '../support/provider.ts'
import { seededRandom } from '../support/random.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'
import { answersOf, type Sums, sumsOf } from '../support/usage.ts'

const question = 'How many books may a member borrow?'
const multipliers = '/v1/console/multipliers'
const none: Sums = {
  answers: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  credits: 0,
  cost: 0,
  unpriced: 0,
}

describe.each(databases)('credits and usage, on $database', ({ env }) => {
  let stub: StubProvider
  let server: Server
  let admin: Api
  let tenant: Tenant

  beforeAll(async () => {
    stub = await StubProvider.start()
    const models = {
      COMPATIBLE_BASE_URL: `${stub.url}/local/v1`,
      COMPATIBLE_MODELS: 'llama,dear=acme/dear-2',
    }
    server = await startServer({
      env: { ...(await env()), ...stub.env('openai', 'anthropic', 'google'), ...models },
    })
    admin = Api.admin(server.url)
  })
  beforeEach(async () => {
    tenant = await newTenant()
    stub.script = () => ({ pieces: ['Twelve [^0].'], tokens: { prompt: 900, completion: 100 } })
  })
  afterAll(async () => {
    await server?.stop()
    stub.stop()
    expect(server?.output()).not.toMatch(/"level":50|secret-key/)
  })

  async function newTenant(): Promise<Tenant> {
    const fresh = await createTenant(server.url, ['read', 'write', 'query', 'admin'])
    await upload(fresh, 'lending.md', 'Members may borrow up to twelve books for four weeks.')
    return fresh
  }
  const usage = async (query = '', { project, projectId } = tenant) =>
    (await project.ok('GET', `/v1/${projectId}/usage${query}`)).body
  const ofConsole = async (query: string) => (await admin.ok('GET', `/v1/console/usage?${query}`)).body
  const set = async (model: string, multiplier: number) =>
    (await admin.ok('PUT', multipliers, { model, multiplier })).body
  const credits = async (selected_model: string) =>
    (await ask(tenant, question, { selected_model })).body.usage.credits

  it.each([
    ['gpt-4o-mini', 1],
    ['claude-3-haiku', 1],
    ['gemini-pro', 3],
    ['gemini-1.5-pro', 4],
    ['claude-3-sonnet', 8],
    ['claude-3.5-sonnet', 10],
    ['gpt-4-turbo', 12],
    ['gpt-4o', 15],
    ['gpt-4', 18],
    ['claude-3-opus', 20],
    ['llama', 1],
    ['cairn-extractive', 0],
  ])('of %s are %d for 1,000 tokens', async (model, multiplier) => {
    const { body } = await ask(tenant, question, { selected_model: model })
    expect(body).toMatchObject({ model, usage: { credits: multiplier } })
    expect((await lastTrace(tenant)).token_usage).toMatchObject(body.usage)
  })

  it('are in the last event of a stream', async () => {
    const body = { question, selected_model: 'gpt-4o' }
    const { text } = await tenant.chat.post(`/v1/${tenant.chatId}/answer_question_stream`, body)
    expect(parseEvents(text).at(-1)?.data.usage).toEqual({
      prompt_tokens: 900,
      completion_tokens: 100,
      total_tokens: 1000,
      credits: 15,
    })
  })

  it('use the multipliers of the console, from the next answer on', async () => {
    const builtIn = (await admin.ok('GET', multipliers)).body
    expect(builtIn).toContainEqual({ model: 'gpt-4o', multiplier: 15, built_in: 15, updated_at: null })
    expect(builtIn).toHaveLength(11)
    expect(await set(' OpenAI/GPT-4o', 2.5)).toEqual({
      model: 'gpt-4o',
      multiplier: 2.5,
      built_in: 15,
      updated_at: expect.stringMatching(/Z$/),
    })
    expect(await credits('gpt-4o')).toBe(2.5)
    await set('gpt-4o', 0)
    expect(await credits('gpt-4o')).toBe(0)
    // Multipliers belong to model ids; an alias has the multiplier of its id.
    await set('acme/dear-2', 7)
    expect(await credits('dear')).toBe(7)
    expect((await admin.ok('GET', '/v1/console/models')).body.models).toContainEqual(
      expect.objectContaining({ name: 'dear', credits_multiplier: 7 }),
    )
    expect(await usage()).toMatchObject({ total: { answers: 3, credits: 9.5 } })
    for (const name of ['gpt-4o', 'acme%2Fdear-2']) {
      const answer = await admin.ok('DELETE', `${multipliers}/${name}`)
      expect(answer.body).toEqual({ success: true, message: 'multiplier deleted' })
      expectRefusal(await admin.call('DELETE', `${multipliers}/${name}`), { status: 404, project: false })
    }
    expect((await admin.ok('GET', multipliers)).body).toEqual(builtIn)
    expect(await credits('gpt-4o')).toBe(15)
    expect(await credits('dear')).toBe(1)
  })

  it('equal the sums of the traces, for all questions and outcomes', async () => {
    const random = seededRandom(7)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const names = ['gpt-4o-mini', 'gpt-4o', 'claude-3-opus', 'gemini-pro', 'llama', 'cairn-extractive']
    const path = `/v1/console/projects/${tenant.projectId}/chats`
    const { chat_id } = (await admin.ok('POST', path, { title: 'another', publish: true })).body
    stub.script = (_, number) => ({
      pieces: ['Twelve', ' books [^0].'],
      tokens: number % 7 === 0 ? null : { prompt: 500 + number, completion: number % 90 },
      ...(number % 5 === 0 && { ending: 'cut' as const }),
      ...(number % 11 === 0 && { refuse: { status: 400 } }),
    })
    const asked = Array.from({ length: 60 }, (_, number) => {
      const selected_model = pick(names)
      const own = { question: pick([question, 'Welche Farbe hat Zanzibar?']), selected_model }
      if (number % 3 === 0) return tenant.chat.post(`/v1/${tenant.chatId}/answer_question_stream`, own)
      if (number % 4 === 0) return admin.post('/answer_question', { chat_id, ...own })
      return tenant.chat.post(`/v1/${tenant.chatId}/answer_question`, own)
    })
    await Promise.all(asked)
    const stream = await LiveStream.open(tenant.chat, `/v1/${tenant.chatId}/answer_question_stream`, {
      question,
      selected_model: 'gpt-4o',
    })
    await stream.ended

    const answers = await answersOf(tenant)
    expect(answers.length).toBe(61)
    const { total, rows, group_by } = await usage('?group_by=model,chat')
    expect(total).toEqual(sumsOf(answers))
    expect(total.unpriced).toBeGreaterThan(0)
    expect(group_by).toEqual(['chat', 'model'])
    const groups = Map.groupBy(
      answers,
      ({ model, custom_attributes }) => `${custom_attributes.chat_id} ${model}`,
    )
    const expected = [...groups].map(([group, own]) => ({ group, ...sumsOf(own) }))
    const found = rows.map(({ chat_id: chat, model, ...sums }: Record<string, unknown>) => ({
      group: `${chat} ${model}`,
      ...sums,
    }))
    const used = expected.filter((row) => row.answers > 0)
    const byGroup = (a: { group: string }, b: { group: string }) => (a.group < b.group ? -1 : 1)
    expect(found.sort(byGroup)).toEqual(used.sort(byGroup))
    expect(await ofConsole(`project_id=${tenant.projectId}`)).toMatchObject({ total })
    // Usage stays after the deletion of traces and chats.
    await tenant.project.ok('DELETE', `/v1/${tenant.projectId}/traces?tag=chat`)
    await admin.ok('DELETE', `/v1/console/chats/${chat_id}`)
    expect((await usage()).total).toEqual(total)
  })

  it('of scorers count as well, with their own purpose', async () => {
    stub.script = (_, number) => ({
      pieces: [number % 2 === 0 ? '{"score":0.5,"reasoning":"so so"}' : 'no json'],
      tokens: { prompt: 400, completion: 100 },
    })
    const request = { scorer_slug: 'helpfulness', input: 'a', output: 'b' }
    const score = () => tenant.project.post(`/v1/${tenant.projectId}/score-with-judge`, request)
    const answers = await Promise.all([score(), score()])
    expect(answers.map(({ status }) => status)).toContain(200)
    const { total, rows } = await usage('?group_by=purpose,chat')
    expect(rows).toMatchObject([
      { purpose: 'judge', chat_id: null, answers: answers.filter((a) => a.status < 300).length },
    ])
    expect(total.credits).toBeGreaterThanOrEqual(0.5)
    expect((await usage('?purpose=answer')).total).toEqual(none)
  })

  it('are reported by day and period, only to the project and the administrator', async () => {
    await ask(tenant, question)
    const today = new Date().toISOString().slice(0, 10)
    const { rows, period_start, period_end, truncated } = await usage('?group_by=day&group_by=app,user')
    expect(rows).toMatchObject([{ day: today, app_id: null, user_id: null, answers: 1, total_tokens: 1000 }])
    expect(Date.parse(period_end) - Date.parse(period_start)).toBe(30 * 86_400_000)
    expect(truncated).toBe(false)
    expect(await usage(`?start_date=${today}T23:59:00Z`)).toMatchObject({ total: { answers: 1 } })
    expect(await usage(`?end_date=${today}`)).toMatchObject({ total: none, rows: [] })
    expect(await usage('?start_date=2999-01-01')).toMatchObject({ total: none })
    expect(await usage('?model=gpt-4o-mini')).toMatchObject({ total: { answers: 1 } })
    expect(await usage('?chat_id=nope')).toMatchObject({ total: none })
    const other = await newTenant()
    expect((await usage('', other)).total).toEqual(none)
    expect((await usage(`?project_id=${tenant.projectId}`, other)).total).toEqual(none)
    const foreign = await other.project.get(`/v1/${tenant.projectId}/usage`)
    expectRefusal(foreign, { status: 403, project: true })
    await ask(other, question, { selected_model: 'gpt-4o' })
    const all = await ofConsole('group_by=project&limit=10000')
    const mine = all.rows.filter(({ project_id }: { project_id: string }) =>
      [tenant.projectId, other.projectId].includes(project_id),
    )
    // In descending order of credits.
    expect(mine).toMatchObject([
      { project_id: other.projectId, credits: 15 },
      { project_id: tenant.projectId, credits: 1 },
    ])
    expect(await ofConsole('group_by=project&limit=1')).toMatchObject({ truncated: true })
  })

  it('reject invalid queries', async () => {
    for (const [query, names] of [
      ['group_by=team', 'group_by'],
      ['group_by=', 'group_by'],
      ['start_date=yesterday', 'start_date'],
      ['end_date=2024-02-30', 'end_date'],
      ['start_date=2024-02-01&end_date=2024-01-01', 'start_date'],
      ['limit=0', 'limit'],
      ['limit=10001', 'limit'],
      ['purpose=fun', 'purpose'],
      ['model=%00', 'model'],
    ] as const) {
      const own = await tenant.project.get(`/v1/${tenant.projectId}/usage?${query}`)
      expectRefusal(own, { status: 400, project: true, names }, query)
      expectRefusal(
        await admin.get(`/v1/console/usage?${query}`),
        { status: 400, project: false, names },
        query,
      )
    }
    const answer = await tenant.project.get(`/v1/${tenant.projectId}/usage?group_by=project`)
    expectRefusal(answer, { status: 400, project: true, names: 'group_by' })
  })
})
