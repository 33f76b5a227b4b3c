import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upload } from '../support/answers.ts'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { registerApp, signIn } from '../support/applications.ts'
import { databases } from '../support/databases.ts'
import { type Issuer, startIssuer } from '../support/issuer.ts'
import { StubProvider } from '../support/provider.ts'
import { Receiver } from '../support/receiver.ts'
import type { Route } from '../support/route.ts'
import { routeName, routes } from '../support/routes.ts'
import { type Server, startServer } from '../support/server.ts'

/** Secret words that only the user may see, and that are nowhere else. */
const secrets = {
  name: 'zanzibarname',
  text: 'quokkatext',
  question: 'marzipanquestion',
  answer: 'gorgonzolaanswer',
  history: 'pumpernickelhistory',
  scopeName: 'walrusscope',
  scopeValue: 'tapirscopevalue',
  bad: 'lemurbadname',
  textName: 'okapitextname',
  comment: 'kumquatcomment',
}

describe.each(databases)('the private data of end users, on $database', ({ env }) => {
  let issuer: Issuer
  let stub: StubProvider
  let receiver: Receiver
  let server: Server
  let tenant: Tenant
  let admin: Api
  /** A signed-in dashboard. */
  let session: Api
  let ann: Api
  let ids: Record<string, string>

  beforeAll(async () => {
    issuer = await startIssuer()
    stub = await StubProvider.start()
    receiver = await Receiver.start()
    server = await startServer({
      env: {
        ...(await env()),
        ...stub.env(),
        CAIRN_EMBEDDING_MODEL: 'openai/text-embedding-3-small',
        CAIRN_ALLOW_INSECURE_ISSUERS: 'true',
      },
    })
    admin = Api.admin(server.url)
    const { headers } = await admin.ok('POST', '/v1/console/session')
    session = new Api(server.url, { cookie: headers.get('set-cookie') ?? '', origin: server.url })
    tenant = await createTenant(server.url)
    const hook = { url: receiver.url('/hook'), event_types: ['*'] }
    const made = await admin.ok('POST', `/v1/console/projects/${tenant.projectId}/webhooks`, hook)
    const app_id = (await registerApp(server.url, issuer.url, { chat_id: tenant.chatId })).app_id
    ann = await signIn(server.url, app_id, issuer, 'ann')
    const { user_id } = (await ann.ok('GET', '/v1/me/profile')).body
    ids = {
      project_id: tenant.projectId,
      chat_id: tenant.chatId,
      app_id,
      user_id,
      webhook_id: made.body.webhook_id,
    }
    await upload(tenant, 'public.txt', 'The public handbook of the office in Oban.')
    await live()
  })
  afterAll(async () => {
    await server?.stop()
    await issuer?.close()
    stub.stop()
    receiver.stop()
  })

  const ask = (fields: Record<string, string> = {}) => {
    const messages = [
      { role: 'user', content: `Of the office: ${secrets.history}` },
      { role: 'assistant', content: `So it is: ${secrets.history}` },
      {
        role: 'user',
        content: `What does the office in Oban say of ${secrets.question} and ${secrets.text}?`,
      },
    ]
    return ann.post(
      '/v1/me/chats/query',
      new URLSearchParams({ messages: JSON.stringify(messages), ...fields }),
    )
  }

  /** Successful and failing requests of a user. The errors of the provider repeat the text that it received. */
  async function live(): Promise<void> {
    const file = '/v1/me/chats/files/upload'
    const text = `The office in Oban keeps the ${secrets.text}.\n\n${`About the office: ${secrets.text}. `.repeat(150)}`
    const scopes = { [secrets.scopeName]: secrets.scopeValue }
    const kept = (await ann.ok('POST', file, uploadForm(`${secrets.name}.md`, text, scopes))).body
    const gone = (await ann.ok('POST', file, uploadForm(`${secrets.name}.txt`, `${text} gone`))).body
    const named = { text_content: `More ${secrets.text} of the office`, content_name: secrets.textName }
    await ann.ok('POST', file, new URLSearchParams(named))
    for (const [name, content] of [
      [`${secrets.bad}.exe`, 'x'],
      [`${secrets.bad}.pdf`, `%PDF-1.7 ${secrets.text}`],
      [`${secrets.bad}.docx`, `PK\x03\x04 ${secrets.text}`],
      [`${secrets.bad}.json`, `{ ${secrets.text}`],
    ] as const) {
      expect((await ann.post(file, uploadForm(name, content))).status).toBeGreaterThanOrEqual(400)
    }
    expect((await ann.call('DELETE', `/v1/me/chats/files/${secrets.bad}`)).status).toBe(404)
    await ann.ok('DELETE', `/v1/me/chats/files/${gone.file_id}`)
    ids.file_id = kept.file_id

    stub.script = () => ({ pieces: [`It is ${secrets.answer} [^0].`] })
    const answered = await ask({ scope_filters: JSON.stringify({ [secrets.scopeName]: secrets.scopeValue }) })
    expect(answered.text).toContain(secrets.answer)
    expect((await ask({ stream: 'true' })).text).toContain(secrets.answer)
    const { answer_id } = answered.body
    const rating = new URLSearchParams({ answer_id, rating: 'down', comment: secrets.comment })
    expect((await ann.post('/v1/me/chats/feedback', rating)).status).toBe(400)
    await ann.ok('POST', '/v1/me/chats/feedback', new URLSearchParams({ answer_id, rating: 'down' }))
    const body = { error: { message: `no: ${Object.values(secrets).join(' ')}`, type: 'bad_request' } }
    stub.refuseEmbeddings = () => ({ status: 400, body })
    expect(
      (await ann.post(file, uploadForm(`${secrets.bad}.txt`, `Not embedded ${secrets.text}`))).status,
    ).toBe(500)
    expect((await ask({ scope_filters: '{}' })).status).toBe(200)
    stub.script = () => ({ refuse: { status: 400, body } })
    expect((await ask()).status).toBe(502)
    stub.script = () => ({ pieces: [secrets.answer], ending: 'error' })
    expect((await ask({ stream: 'true' })).text).toContain('"error"')
    stub.script = () => ({ pieces: [secrets.answer], ending: 'cut' })
    await ask()
    // Events of the stored uploads, of the deletion and of the public file.
    await receiver.wait('/hook', 5)
  }

  const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown')
  const callers = (): Record<Route['credential'], Api[]> => ({
    none: [admin],
    admin: [admin, session],
    'project-key': [tenant.project, session],
    'chat-key': [tenant.chat, session],
    'admin-or-chat-key': [admin, tenant.chat, session],
  })

  function expectNothing(text: string, where: string): void {
    const lower = text.toLowerCase()
    for (const secret of [...Object.values(secrets), String(ids.file_id)]) {
      expect(lower.includes(secret), `${secret} in ${where}`).toBe(false)
    }
  }

  it('is visible to them', async () => {
    const own = (await ann.ok('GET', '/v1/me/chats/files')).text + (await ann.ok('GET', '/v1/me/events')).text
    for (const secret of [secrets.name, secrets.textName, String(ids.file_id)]) expect(own).toContain(secret)
  })

  it('is not in any response to developers and administrators', async () => {
    const traces = (await tenant.project.ok('GET', `/v1/${tenant.projectId}/analytics/traces`)).body
    expect(traces.length).toBeGreaterThanOrEqual(6)
    const whole = await Promise.all(
      traces.map(({ trace_id }: { trace_id: string }) =>
        tenant.project.ok('GET', `/v1/${tenant.projectId}/analytics/traces/${trace_id}`),
      ),
    )
    // No input, output, model parameters, settings, passages or errors of models: a field added later fails here.
    const fields = new Set(whole.flatMap(({ body }) => body.spans.flatMap(Object.keys)))
    const allowed = ['attributes', 'end_ms', 'error', 'kind', 'name', 'start_ms', 'status']
    expect([...fields].toSorted()).toEqual(allowed)
    for (const { body } of whole) for (const span of body.spans) expect(span.attributes).toEqual({})
    const paths: [Api, string, string][] = routes
      .filter(({ method }) => method === 'GET')
      .flatMap((route) =>
        callers()[route.credential].map((api): [Api, string, string] => [
          api,
          fill(route.path),
          routeName(route),
        ]),
      )
    const base = `/v1/${tenant.projectId}`
    for (const { trace_id } of traces) {
      paths.push([tenant.project, `${base}/analytics/traces/${trace_id}`, 'a trace'])
    }
    for (const format of ['csv', 'json', 'jsonl']) {
      paths.push([tenant.project, `${base}/analytics/export?format=${format}`, `the export as ${format}`])
    }
    for (const secret of Object.values(secrets)) {
      const found = await tenant.project.ok('GET', `${base}/analytics/traces?q=${secret}`)
      expect(found.body).toEqual([])
    }
    const groups = 'project,chat,app,user,model,purpose,day'
    paths.push([admin, `/v1/console/usage?group_by=${groups}`, 'usage'])
    let answered = 0
    for (const [api, path, name] of paths) {
      const answer = await api.get(path)
      if (answer.status === 200) answered += 1
      expectNothing(answer.text.replaceAll(path, ''), name)
      for (const [header, value] of answer.headers) expectNothing(value, `${name}, ${header}`)
    }
    expect(answered).toBeGreaterThan(40)
  })

  it('is not in webhooks', async () => {
    const calls = receiver.at('/hook')
    expect(calls.filter(({ body }) => body.includes(ids.user_id ?? '')).length).toBeGreaterThanOrEqual(4)
    for (const { body, headers } of calls) expectNothing(body + JSON.stringify(headers), 'a webhook')
  })

  it('is not in answers and searches of the developer', async () => {
    stub.refuseEmbeddings = () => undefined
    stub.script = () => ({ pieces: ['Yes [^0].'] })
    const question = 'What does the office in Oban keep?'
    const chat = `/v1/${tenant.chatId}`
    stub.calls.length = 0
    for (const answer of [
      await tenant.chat.ok('POST', `${chat}/answer_question`, { question }),
      await tenant.chat.ok('POST', `${chat}/search`, { query: question, limit: 100 }),
      await admin.ok('POST', '/answer_question', { chat_id: tenant.chatId, question }),
    ]) {
      expect(answer.text).toContain('public.txt')
      expectNothing(answer.text, 'an answer')
    }
    expectNothing(JSON.stringify(stub.calls), 'a prompt')
  })

  it('is not in the log', async () => {
    await expect.poll(() => server.output()).toContain('/v1/me/chats/query')
    expectNothing(server.output(), 'the log')
  })
})
