import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, isRewriting, lastTrace, upload } from '../support/answers.ts'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { type Script, StubProvider } from '../support/provider.ts'
import { type Server, startServer } from '../support/server.ts'

describe.each(databases)('conversations, on $database', ({ env }) => {
  let stub: StubProvider
  let server: Server
  let tenant: Tenant
  /** The response to a call that asks for a rewritten question. */
  let rewriting: Script

  beforeAll(async () => {
    stub = await StubProvider.start()
    server = await startServer({ env: { ...(await env()), ...stub.env() } })
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url)
    await upload(tenant, 'ferry.md', 'The ferry to Hiiumaa leaves from Rohuküla. A ticket costs four euros.')
    await upload(tenant, 'bus.md', 'The bus to Tartu leaves from the market square every hour.')
    stub.calls.length = 0
    let answers = 0
    stub.script = (call) =>
      isRewriting(call)
        ? rewriting
        : { pieces: [`Answer ${++answers} [^0].`], tokens: { prompt: 100, completion: 5 } }
    rewriting = { pieces: ['I cannot.'] }
  })
  afterAll(async () => {
    await server?.stop()
    stub.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  const say = async (question: string, session_id?: string, of = tenant) => {
    const { status, text } = await ask(of, question, session_id === undefined ? {} : { session_id })
    expect(status, text).toBe(200)
  }
  /** The messages of the last call without the system message; the last message is reduced to its question. */
  const sent = () =>
    stub.calls
      .at(-1)
      ?.body.messages.slice(1)
      .map(({ role, content }: { role: string; content: string }) => {
        return [role, content.replace(/^<sources>.*Question: /s, '')]
      })
  const limit = (conversation_history_limit: number) =>
    tenant.chat.ok('POST', `/v1/${tenant.chatId}/settings`, { conversation_history_limit })

  it('include the previous turns in order, without their citation markers', async () => {
    await say('Where does the ferry leave?', 's')
    await say('What does the ferry cost?', 's')
    await say('Does the ferry take the bus?', 's')
    expect(sent()).toEqual([
      ['user', 'Where does the ferry leave?'],
      ['assistant', 'Answer 1.'],
      ['user', 'What does the ferry cost?'],
      ['assistant', 'Answer 2.'],
      ['user', 'Does the ferry take the bus?'],
    ])
  })

  it('need a session id, and do not continue in another session', async () => {
    await say('Where does the ferry leave?', 's')
    await say('Where does the ferry leave?')
    expect(sent()).toHaveLength(1)
    for (const other of ['t', 'S', 's ', 's\0', '\ud800']) {
      await say('Where does the ferry leave?', other)
      expect(sent(), other).toHaveLength(1)
    }
  })

  it('belong to one chat: the same session id in another chat is another conversation', async () => {
    const { body } = await Api.admin(server.url).ok(
      'POST',
      `/v1/console/projects/${tenant.projectId}/chats`,
      {
        title: 'beside it',
        publish: true,
      },
    )
    const chatId = body.chat_id
    const { body: key } = await Api.admin(server.url).ok('POST', `/v1/console/chats/${chatId}/keys`, {})
    const beside = { ...tenant, chatId, chat: tenant.chat.withKey(key.api_key) }
    const other = await createTenant(server.url)
    for (const of of [beside, other]) await upload(of, 'ferry.md', 'The ferry leaves from Virtsu.')
    await say('Where does the ferry leave?', 's')
    for (const of of [beside, other]) {
      await say('Where does the ferry leave?', 's', of)
      expect(sent()).toHaveLength(1)
    }
  })

  it('include turns up to the limit of messages', async () => {
    await limit(4)
    for (const n of [1, 2, 3, 4]) await say(`Ferry question ${n}: where does it leave?`, 's')
    const questions = (list: [string, string][]) => list.map(([, text]) => text.replace(/ question|:.*/g, ''))
    expect(questions(sent())).toEqual(['Ferry 2', 'Answer 2.', 'Ferry 3', 'Answer 3.', 'Ferry 4'])
    await limit(3)
    await say('Ferry question 5: where does it leave?', 's')
    expect(questions(sent())).toEqual(['Ferry 4', 'Answer 4.', 'Ferry 5'])
    await limit(0)
    await say('Ferry question 6: where does it leave?', 's')
    expect(questions(sent())).toEqual(['Ferry 6'])
  })

  it('are searched together with a short question', async () => {
    await say('And the price?')
    expect(stub.calls).toHaveLength(0)
    await say('Where does the ferry to Hiiumaa leave?', 's')
    await say('And the price?', 's')
    expect(stub.calls.map(isRewriting)).toEqual([false, true, false])
    expect(stub.calls[2]?.body.messages.at(-1).content).toMatch(/four euros.*Question: And the price\?$/s)
  })

  it('let their model rewrite a question that leans on them, and show and charge it', async () => {
    await upload(tenant, 'prices.md', 'Fares: a crossing to Hiiumaa is 9 euros with a car.')
    rewriting = {
      pieces: ['“What is the fare of the ferry', ' to Hiiumaa with a car?”'],
      tokens: { prompt: 50, completion: 9 },
    }
    await say('Where does the ferry to Hiiumaa leave?', 's')
    const { body } = await ask(tenant, 'And with a car?', { session_id: 's' })
    expect(stub.calls.map(isRewriting)).toEqual([false, true, false])
    expect(stub.calls[1]?.body.messages.at(-1).content).toMatch(
      /Question: Where does the ferry to Hiiumaa leave\?\nAnswer: Answer 1\..*Last question: And with a car\?$/s,
    )
    // The model answers the question as it was asked.
    expect(sent().at(-1)).toEqual(['user', 'And with a car?'])
    expect(body.usage).toEqual({
      prompt_tokens: 150,
      completion_tokens: 14,
      total_tokens: 164,
      credits: expect.closeTo(0.164, 9),
    })
    const { spans, token_usage, cost } = await lastTrace(tenant)
    const [rewrite, retrieve, generate] = spans
    expect(spans.map(({ name }: { name: string }) => name)).toEqual(['rewrite', 'retrieve', 'generate'])
    const question = 'What is the fare of the ferry to Hiiumaa with a car?'
    expect(rewrite).toMatchObject({
      model: 'gpt-4o-mini',
      attributes: { question },
      token_usage: { prompt_tokens: 50, completion_tokens: 9 },
    })
    expect(retrieve.input).toBe(question)
    expect(retrieve.attributes).not.toHaveProperty('completed_question')
    expect(generate.token_usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 5 })
    expect(token_usage).toMatchObject({
      prompt_tokens: 150,
      completion_tokens: 14,
      credits: expect.closeTo(0.164, 9),
    })
    const usage = `/v1/${tenant.projectId}/usage?group_by=purpose`
    const { rows } = (await tenant.project.ok('GET', usage)).body
    const byPurpose = Object.fromEntries(rows.map((row: { purpose: string }) => [row.purpose, row]))
    expect(byPurpose.rewrite).toMatchObject({
      answers: 1,
      prompt_tokens: 50,
      completion_tokens: 9,
      credits: 0.059,
    })
    expect(byPurpose.answer).toMatchObject({ answers: 2, prompt_tokens: 200, completion_tokens: 10 })
    expect(byPurpose.rewrite.cost).toBeGreaterThan(0)
    // The trace's cost is the cost of both calls, and each is charged once.
    expect(byPurpose.answer.cost + byPurpose.rewrite.cost).toBeCloseTo(byPurpose.answer.cost / 2 + cost, 12)
  })

  it.each<[string, Script]>([
    ['fails', { refuse: { status: 400 } }],
    ['answers instead', { pieces: ['Twelve.\nAnd more of the ferry.'] }],
    ['says nothing of the conversation', { pieces: ['I cannot.'] }],
  ])('complete the question without the model if the rewriting %s', async (_, script) => {
    rewriting = script
    await say('Where does the ferry to Hiiumaa leave?', 's')
    await say('And the price?', 's')
    expect(sent()).toHaveLength(3)
    const { spans, status } = await lastTrace(tenant)
    expect(status).toBe('success')
    expect(spans[0].name).toBe('rewrite')
    expect(spans[0].attributes).not.toHaveProperty('question')
    expect(spans[0].status).toBe(script.refuse ? 'error' : undefined)
    const { input, attributes } = spans[1]
    expect(input).toMatch(/price.*ferry to Hiiumaa/)
    expect(attributes).toMatchObject({
      completed_question: input,
      taken_over: [{ text: 'Where does the ferry to Hiiumaa leave?', from: 'question', turn: 1 }],
    })
  })

  it('are not searched together with an independent question', async () => {
    await say('Where does the ferry to Hiiumaa leave?', 's')
    await say('When does the bus to Tartu leave the market square?', 's')
    const [, first] = /file="([^"]+)"/.exec(stub.calls[1]?.body.messages.at(-1).content) ?? []
    expect(first).toBe('bus.md')
  })

  it('contain answered questions, and no failed ones', async () => {
    stub.script = (_, number) => (number === 1 ? { refuse: { status: 400 } } : { pieces: ['Yes [^0].'] })
    expect((await ask(tenant, 'Where does the ferry leave?', { session_id: 's' })).status).toBe(502)
    await say('What does the ferry cost?', 's')
    expect(sent()).toEqual([['user', 'What does the ferry cost?']])
  })
})
