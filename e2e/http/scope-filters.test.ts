import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isRewriting } from '../support/answers.ts'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { registerApp, signIn } from '../support/applications.ts'
import { databases } from '../support/databases.ts'
import { someIssuer } from '../support/issuer.ts'
import { StubProvider } from '../support/provider.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'

type Filters = Record<string, string | number | boolean> | undefined

const misspelt = ['scopes', 'filters', 'scope', 'scope_values', 'scope_filter', 'scopeFilters']

describe.each(databases)('the scope filters of questions, on $database', ({ env }) => {
  let stub: StubProvider
  let server: Server
  let tenant: Tenant

  beforeAll(async () => {
    stub = await StubProvider.start()
    server = await startServer({ env: { ...(await env()), ...stub.env() } })
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url)
    await add('private.md', 'The walrus of the harbour is called Quokka.', { team: 'private', year: 1 })
    await add('public.md', 'The heron of the harbour is called Hugo.', { team: 'public', year: 1 })
    await add('later.md', 'The gull of the harbour is called Gustav.', { team: 'public', year: 2 })
    stub.calls.length = 0
    let answers = 0
    stub.script = (call) => ({ pieces: [isRewriting(call) ? 'I cannot.' : `Answer ${++answers} [^0].`] })
  })
  afterAll(async () => {
    await server?.stop()
    stub.stop()
  })

  const add = (name: string, text: string, scopes: Filters) =>
    tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, uploadForm(name, text, scopes))

  const say = (question: string, scope_filters?: Filters, path = `/v1/${tenant.chatId}/answer_question`) => {
    const api = path.startsWith('/v1') ? tenant.chat : Api.admin(server.url)
    const body = { question, session_id: 's', chat_id: tenant.chatId, scope_filters }
    return api.ok('POST', path, body)
  }
  /** The earlier answers in the last call to the model. */
  const remembered = () =>
    stub.calls
      .at(-1)
      ?.body.messages.filter(({ role }: { role: string }) => role === 'assistant')
      .map(({ content }: { content: string }) => content)

  it.each(['/answer_question', '/answer_question_stream', 'own', 'own_stream'])(
    'exclude answers from a private scope in a public turn of the session: %s',
    async (name) => {
      const path = name.startsWith('/')
        ? name
        : `/v1/${tenant.chatId}/answer_question${name === 'own' ? '' : '_stream'}`
      stub.script = () => ({ pieces: ['It is called Quokka, the zanzibar [^0].'] })
      await say('What is the walrus of the harbour called?', { team: 'private' }, path)
      await say('What is the heron of the harbour called?', { team: 'public' }, path)
      expect(stub.calls).toHaveLength(2)
      expect(JSON.stringify(stub.calls[1]?.body)).toContain('Hugo')
      expect(JSON.stringify(stub.calls[1]?.body)).not.toMatch(/quokka|walrus|zanzibar/i)
    },
  )

  it('exclude private questions from the search of a short public question', async () => {
    await say('What is the walrus of the harbour called?', { team: 'private' })
    // The question alone finds nothing, so no model is called.
    await say('And it?', { team: 'public' })
    expect(stub.calls).toHaveLength(1)
    await say('What is the heron of the harbour called?', { team: 'public' })
    await say('And it?', { team: 'public' })
    expect(stub.calls.map(isRewriting)).toEqual([false, false, true, false])
    expect(JSON.stringify(stub.calls[3]?.body)).toContain('Hugo')
    expect(JSON.stringify(stub.calls.slice(1).map(({ body }) => body))).not.toContain('walrus')
  })

  it('allow turns in the history whose filters include all current filters', async () => {
    const harbour = 'Who lives in the harbour?'
    await say(harbour, { team: 'public', year: 1 })
    await say(harbour, { team: 'public' })
    expect(remembered()).toEqual(['Answer 1.'])
    await say(harbour, { year: 1, team: 'public' })
    expect(remembered()).toEqual(['Answer 1.'])
    await say(harbour, { year: 1 })
    expect(remembered()).toEqual(['Answer 1.', 'Answer 3.'])
    await say(harbour, {})
    expect(remembered()).toEqual([1, 2, 3, 4].map((n) => `Answer ${n}.`))
    // The turn without filters has used all documents, directly or through its history.
    await say(harbour, { team: 'public' })
    expect(remembered()).toEqual([1, 2, 3].map((n) => `Answer ${n}.`))
    await say(harbour)
    expect(remembered()).toHaveLength(6)
  })

  it('are compared by value and type', async () => {
    await add('text.md', 'The harbour has a text.', { kind: '1' })
    await add('number.md', 'The harbour has a number.', { kind: 1 })
    await add('flag.md', 'The harbour has a flag.', { kind: true })
    const kinds = ['1', 1, true]
    for (const kind of kinds) {
      await say('What has the harbour?', { kind })
      expect(remembered()).toEqual([])
    }
    for (const [index, kind] of kinds.entries()) {
      await say('What has the harbour?', { kind })
      expect(remembered()).toEqual([`Answer ${index + 1}.`])
    }
  })

  it('exclude turns before the limit of messages is applied', async () => {
    const settings = { conversation_history_limit: 4 }
    await tenant.chat.ok('POST', `/v1/${tenant.chatId}/settings`, settings)
    const turns = ['public', 'public', 'public', 'private', 'private', 'private', 'public']
    for (const team of turns) await say('Who lives in the harbour?', { team })
    expect(remembered()).toEqual(['Answer 2.', 'Answer 3.'])
  })

  it('with a wrong name are a 400 that mentions scope_filters, on every route for answers and searches', async () => {
    const chat = `/v1/${tenant.chatId}`
    const question = { question: 'What is it called?' }
    const admin = Api.admin(server.url)
    const internal = { ...question, chat_id: tenant.chatId }
    const calls: [Api, string, object][] = [
      [tenant.chat, `${chat}/answer_question`, question],
      [tenant.chat, `${chat}/answer_question_stream`, question],
      [tenant.chat, `${chat}/search`, { query: 'heron' }],
      [admin, '/answer_question', internal],
      [admin, '/answer_question_stream', internal],
    ]
    for (const [api, path, body] of calls) {
      for (const name of misspelt) {
        for (const more of [{}, { scope_filters: { team: 'public' } }]) {
          const answer = await api.post(path, { ...body, ...more, [name]: { team: 'public' } })
          expectRefusal(answer, { status: 400, project: false, names: 'scope_filters' }, `${name} ${path}`)
          expect(answer.text).toContain(name)
        }
      }
      // A null under a wrong name and other unknown fields are ignored.
      await api.ok('POST', path, { ...body, scopes: null, anything: { team: 'public' } })
    }
  })

  it("with a wrong name are also a 400 in an end user's question", async () => {
    const issuer = await someIssuer()
    const { app_id } = await registerApp(server.url, issuer.url, { chat_id: tenant.chatId })
    const user = await signIn(server.url, app_id, issuer, 'ann')
    const messages = JSON.stringify([{ role: 'user', content: 'What is the heron called?' }])
    const forms = (fields: Record<string, string>) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      return [form, new URLSearchParams(fields)]
    }
    for (const name of misspelt) {
      for (const form of forms({ messages, [name]: '{"team":"public"}' })) {
        const answer = await user.post('/v1/me/chats/query', form)
        expectRefusal(answer, { status: 400, project: false, names: 'scope_filters' }, name)
      }
    }
    for (const form of forms({ messages, scopes: '', anything: 'x' })) {
      await user.ok('POST', '/v1/me/chats/query', form)
    }
  })
})
