import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, upload } from '../support/answers.ts'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { LiveStream } from '../support/live-stream.ts'
import { StubProvider } from '../support/provider.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'
import { answersOf, budgetOf, sumsOf } from '../support/usage.ts'

const question = 'How many books may a member borrow?'
const path = '/v1/console/budgets'
/** The tokens that the stub reports: one credit of gpt-4o-mini. */
const tokens = { prompt: 900, completion: 100 }

describe.each(databases)('budgets, on $database', ({ env: environment }) => {
  let stub: StubProvider
  let env: Record<string, string>
  let dataDir: string
  let server: Server
  let admin: Api
  let tenant: Tenant

  const start = async () => {
    server = await startServer({ env, dataDir })
    admin = Api.admin(server.url)
  }
  beforeAll(async () => {
    stub = await StubProvider.start()
    dataDir = await mkdtemp(join(tmpdir(), 'cairn-budgets-'))
    env = { ...(await environment()), ...stub.env('openai') }
    await start()
  })
  beforeEach(async () => {
    stub.calls.length = 0
    stub.script = () => ({ pieces: ['Twelve [^0].'], tokens })
    tenant = await createTenant(server.url)
    await upload(tenant, 'lending.md', 'Members may borrow up to twelve books for four weeks.')
  })
  afterAll(async () => {
    await server?.stop()
    stub.stop()
    await rm(dataDir, { recursive: true, force: true })
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  const create = async (body: object) =>
    (
      await admin.ok('POST', path, {
        project_id: tenant.projectId,
        scope: 'project',
        period: 'month',
        ...body,
      })
    ).body
  const patch = async (id: string, body: object) => (await admin.ok('PATCH', `${path}/${id}`, body)).body
  const statuses = async (count: number, rest: object = {}) =>
    Promise.all(Array.from({ length: count }, async () => (await ask(tenant, question, rest)).status))
  const events = async () =>
    (await tenant.project.ok('GET', `/v1/${tenant.projectId}/events?type=budget_exceeded`)).body

  it('are created, read, listed, changed and deleted', async () => {
    const { projectId: project_id, chatId } = tenant
    const budget = await create({ limit: 10 })
    const month = new Date().toISOString().slice(0, 7)
    expect(budget).toEqual({
      budget_id: expect.stringMatching(/^bud_[0-9a-z]{20}$/),
      project_id,
      scope: 'project',
      scope_id: project_id,
      period: 'month',
      unit: 'credits',
      limit: 10,
      spent: 0,
      reserved: 0,
      remaining: 10,
      period_start: `${month}-01T00:00:00.000Z`,
      period_end: expect.stringMatching(/-01T00:00:00.000Z$/),
      created_at: expect.stringMatching(/Z$/),
    })
    const ofChat = await create({ scope: 'chat', scope_id: chatId, period: 'day', unit: 'usd', limit: 0.5 })
    expect(Date.parse(ofChat.period_end) - Date.parse(ofChat.period_start)).toBe(86_400_000)
    const total = await create({
      scope: 'user',
      scope_id: 'user_v1_0123456789abcdef',
      period: 'total',
      limit: 0,
    })
    expect(total).toMatchObject({ period_start: null, period_end: null, remaining: 0 })
    await create({ scope: 'app', scope_id: 'app_v1_0123', limit: 1 })
    expect(await budgetOf(admin, budget.budget_id)).toEqual(budget)
    const list = async (query: string) =>
      (await admin.ok('GET', `${path}?project_id=${project_id}${query}`)).body
    expect(await list('')).toHaveLength(4)
    expect(await list('&scope=chat')).toEqual([ofChat])
    expect(await patch(budget.budget_id, { limit: 12, period: null })).toEqual({
      ...budget,
      limit: 12,
      remaining: 12,
    })
    expect(await patch(budget.budget_id, {})).toMatchObject({ limit: 12 })
    expect((await admin.ok('DELETE', `${path}/${budget.budget_id}`)).body).toMatchObject({ success: true })
    expectRefusal(await admin.get(`${path}/${budget.budget_id}`), {
      status: 404,
      project: false,
      names: 'budget',
    })
    await admin.ok('DELETE', `/v1/console/projects/${project_id}`)
    expect(await list('')).toEqual([])
  })

  it('require an existing project, chat, application or user', async () => {
    const { projectId: project_id, chatId } = tenant
    const other = await createTenant(server.url)
    const body = { project_id, scope: 'project', period: 'day', limit: 1 }
    for (const [changes, status, names] of [
      [{ project_id: 'proj_00000000000000000000' }, 404, 'project'],
      [{ scope_id: chatId }, 400, 'scope_id'],
      [{ scope: 'chat' }, 400, 'scope_id'],
      [{ scope: 'chat', scope_id: other.chatId }, 404, 'chat'],
      [{ scope: 'chat', scope_id: 'nope' }, 404, 'chat'],
      [{ scope: 'app', scope_id: 'nope' }, 400, 'scope_id'],
      [{ scope: 'user', scope_id: 'app_v1_0123' }, 400, 'scope_id'],
    ] as const) {
      const answer = await admin.post(path, { ...body, ...changes })
      expectRefusal(answer, { status, project: false, names }, JSON.stringify(changes))
    }
    expectRefusal(await admin.get(`${path}?scope=team`), { status: 400, project: false, names: 'scope' })
  })

  it('that are used up reject questions to a model with 402, and write one event', async () => {
    const { budget_id } = await create({ limit: 2 })
    expect(await statuses(1)).toEqual([200])
    expect(await statuses(1)).toEqual([200])
    for (const name of ['answer_question', 'answer_question_stream']) {
      const answer = await tenant.chat.post(`/v1/${tenant.chatId}/${name}`, { question })
      expectRefusal(answer, { status: 402, project: false, names: "this month's budget of credits" })
    }
    const draft = await admin.post('/answer_question', { chat_id: tenant.chatId, question })
    expectRefusal(draft, { status: 402, project: false, names: 'used up' })
    const request = { scorer_slug: 'helpfulness', input: 'a', output: 'b' }
    const score = await tenant.project.post(`/v1/${tenant.projectId}/score-with-judge`, request)
    expectRefusal(score, { status: 402, project: true, names: 'used up' })
    expect(stub.calls).toHaveLength(2)
    expect(await budgetOf(admin, budget_id)).toMatchObject({ spent: 2, reserved: 0, remaining: 0 })
    const [event, ...others] = await events()
    expect(others).toEqual([])
    expect(event.data).toMatchObject({ budget_id, scope: 'project', period: 'month', limit: 2, spent: 2 })
    // Questions without costs are still answered.
    expect(await statuses(1, { selected_model: 'cairn-extractive' })).toEqual([200])
    expect((await ask(tenant, 'Welche Farbe hat Zanzibar?')).status).toBe(200)
    // A rejected question writes no trace.
    expect(await answersOf(tenant)).toHaveLength(4)
    await patch(budget_id, { limit: 3 })
    expect([...(await statuses(1)), ...(await statuses(1))]).toEqual([200, 402])
    await admin.ok('DELETE', `${path}/${budget_id}`)
    expect(await statuses(1)).toEqual([200])
  })

  it('have nothing remaining, and not less, when an answer used more than was left', async () => {
    const { budget_id } = await create({ limit: 0.5 })
    expect(await statuses(2)).toContain(200)
    const { spent, remaining } = await budgetOf(admin, budget_id)
    expect(spent).toBeGreaterThan(0.5)
    expect(remaining).toBe(0)
  })

  it('count usage before their creation, each in its scope and unit', async () => {
    const chats = `/v1/console/projects/${tenant.projectId}/chats`
    const { chat_id } = (await admin.ok('POST', chats, { title: 'another', publish: true })).body
    await ask(tenant, question, { selected_model: 'gpt-4o' })
    const ofProject = await create({ limit: 100 })
    const usd = await create({ unit: 'usd', period: 'total', limit: 1 })
    const ofChat = await create({ scope: 'chat', scope_id: tenant.chatId, period: 'day', limit: 15 })
    const ofOther = await create({ scope: 'chat', scope_id: chat_id, limit: 1 })
    const ofUser = await create({ scope: 'user', scope_id: 'user_v1_00', limit: 0 })
    const cost = (900 * 2.5 + 100 * 10) / 1e6
    expect(ofProject).toMatchObject({ spent: 15, remaining: 85 })
    expect(usd).toMatchObject({ spent: cost })
    expect(ofChat).toMatchObject({ spent: 15, remaining: 0 })
    expect([ofOther.spent, ofUser.spent]).toEqual([0, 0])
    expect(await statuses(1)).toEqual([402])
    await admin.ok('DELETE', `${path}/${ofChat.budget_id}`)
    expect(await statuses(1, { selected_model: 'gpt-4o' })).toEqual([200])
    expect(await budgetOf(admin, ofProject.budget_id)).toMatchObject({ spent: 30, reserved: 0 })
    expect(await budgetOf(admin, usd.budget_id)).toMatchObject({ spent: 2 * cost, reserved: 0 })
    expect(await budgetOf(admin, ofOther.budget_id)).toMatchObject({ spent: 0 })
    expect(await patch(ofProject.budget_id, { unit: 'usd' })).toMatchObject({ spent: 2 * cost, limit: 100 })
  })

  it('for ten answers allow no more than ten, also with many concurrent questions to two servers', async () => {
    const { budget_id } = await create({ period: 'total', limit: 10 })
    const second = await startServer({ env, dataDir })
    try {
      const there = { ...tenant, chat: new Api(second.url).withKey(tenant.chatKey) }
      stub.script = () => ({ pieces: ['Twelve', ' [^0].'], tokens, pauseMs: 150 })
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, number) => ask(number % 2 === 0 ? tenant : there, question)),
      )
      const good = answers.filter(({ status }) => status === 200)
      const refused = answers.filter(({ status }) => status === 402)
      expect(good.length + refused.length).toBe(50)
      expect(good.length).toBeGreaterThan(0)
      expect(good.length).toBeLessThanOrEqual(10)
      const waiting = refused.find(({ body }) => body.detail.includes('in progress'))
      expect(waiting?.headers.get('retry-after')).toBe('1')
      expect(await budgetOf(admin, budget_id)).toMatchObject({ spent: good.length, reserved: 0 })
      // Only a question that finds nothing left writes the event. That is possible here if all ten answers are among the first.
      expect((await events()).length).toBeLessThanOrEqual(good.length === 10 ? 1 : 0)
      let more = 0
      while ((await ask(more % 2 === 0 ? tenant : there, question)).status === 200) more++
      expect(good.length + more).toBe(10)
      expect(stub.calls).toHaveLength(10)
      await statuses(20)
      expect(await budgetOf(admin, budget_id)).toMatchObject({ spent: 10, reserved: 0, remaining: 0 })
      expect(await events()).toHaveLength(1)
      expect((await answersOf(tenant)).length).toBe(10)
    } finally {
      await second.stop()
    }
  })

  it('that another server has just deleted delay no question', async () => {
    const { budget_id } = await create({ limit: 1 })
    const second = await startServer({ env, dataDir })
    try {
      const there = { ...tenant, chat: new Api(second.url).withKey(tenant.chatKey) }
      expect([(await ask(there, question)).status, (await ask(there, question)).status]).toEqual([200, 402])
      await admin.ok('DELETE', `${path}/${budget_id}`)
      expect((await ask(there, question)).status).toBe(200)
      await create({ limit: 2 })
      // The other server notices it within five seconds, and counts earlier usage.
      await expect.poll(async () => (await ask(there, question)).status, { timeout: 10_000 }).toBe(402)
    } finally {
      await second.stop()
    }
  })

  it('release the reservation of a failed answer, and are charged for the received part of an interrupted answer', async () => {
    const { budget_id } = await create({ limit: 10 })
    stub.script = () => ({ refuse: { status: 400 } })
    expect(await statuses(3)).toEqual([502, 502, 502])
    expect(await budgetOf(admin, budget_id)).toMatchObject({ spent: 0, reserved: 0 })
    stub.script = () => ({ pieces: ['Twelve', ' books'], ending: 'hang' })
    const stream = await LiveStream.open(tenant.chat, `/v1/${tenant.chatId}/answer_question_stream`, {
      question,
    })
    await stream.wait(({ content }) => content === 'Twelve books')
    const held = await budgetOf(admin, budget_id)
    expect(held.reserved).toBeGreaterThan(1)
    stream.leave()
    await expect.poll(async () => (await budgetOf(admin, budget_id)).reserved).toBe(0)
    const { spent } = await budgetOf(admin, budget_id)
    expect(spent).toBeGreaterThan(0)
    expect(spent).toBeLessThan(held.reserved)
    expect(spent).toBe(sumsOf(await answersOf(tenant)).credits)
  })

  it('agree with traces and usage after a kill during answers', async () => {
    const { budget_id } = await create({ limit: 1000 })
    stub.script = () => ({ pieces: ['Twelve', ' [^0].'], tokens, pauseMs: 20 })
    const ofTenant = tenant
    let answered = 0
    const asking = Array.from({ length: 8 }, async () => {
      for (;;) {
        const { status } = await ask(ofTenant, question)
        if (status === 200) answered++
      }
    })
    const ended = Promise.allSettled(asking)
    await expect.poll(() => answered, { timeout: 15_000 }).toBeGreaterThan(30)
    await pause(7)
    await server.kill()
    await ended
    await start()
    tenant = { ...ofTenant, project: new Api(server.url).withKey(ofTenant.projectKey) }
    const { body: usage } = await tenant.project.ok('GET', `/v1/${tenant.projectId}/usage`)
    const sums = sumsOf(await answersOf(tenant))
    expect(usage.total).toEqual(sums)
    // Every received answer is recorded. Answers in progress at the kill may be recorded, too.
    expect(sums.answers).toBeGreaterThanOrEqual(answered)
    expect(sums.answers).toBeLessThanOrEqual(answered + 8)
    expect(await budgetOf(admin, budget_id)).toMatchObject({ spent: sums.credits })
  })
})
