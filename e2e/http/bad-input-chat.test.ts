import { beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, parseEvents, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'

const hardTexts = [
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\u2028\ufeff\uffff',
  "'; drop table chats; --",
  '😀é',
  '%00 $1 {{x}}',
]

describe.each(sharedServers)('unusual input to chats and the console, on $database', ({ server }) => {
  let tenant: Tenant
  let admin: Api

  beforeAll(async () => {
    admin = Api.admin(server.url)
    tenant = await createTenant(server.url)
    const form = uploadForm('note.txt', 'The lamp in the hall is blue. The lamp on the stairs is green.')
    await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)
  })

  it.each(hardTexts)('a question with %j is answered and recorded exactly', async (text) => {
    const question = `Which lamp is blue? ${text}`
    const request = { question, session_id: `s${text}`, custom_prompt: text, scope_filters: {} }
    const { status, body } = await tenant.chat.post(`/v1/${tenant.chatId}/answer_question`, request)
    expect(status).toBe(200)
    expect(body.answer).toEqual(expect.any(String))
    const { body: traces } = await tenant.project.get(`/v1/${tenant.projectId}/analytics/traces?limit=1`)
    expect(traces[0].input).toBe(question)
    const streamed = await tenant.chat.post(`/v1/${tenant.chatId}/answer_question_stream`, request)
    expect(parseEvents(streamed.text).at(-1)?.type).toBe('end')
  })

  it.each(hardTexts)('a scope value of %j matches exactly', async (text) => {
    const form = uploadForm('scoped.txt', `The scoped lamp is red. ${JSON.stringify(text)}`, { mark: text })
    const uploaded = await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)
    const ask = async (mark: string) => {
      const request = { question: 'Which scoped lamp is red?', scope_filters: { mark } }
      return (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/answer_question`, request)).body
    }
    const answer = await ask(text)
    const files = new Set(answer.context.map((entry: { file_id: string }) => entry.file_id))
    expect([...files]).toEqual([uploaded.body.file_id])
    expect(answer.scope_filters_applied).toEqual({ mark: text })
    expect((await ask(`${text}!`)).context).toEqual([])
  })

  it.each(['application/json', 'text/event-stream', 'image/png', '', 'nonsense'])(
    'a stream is rejected with JSON before its first event, for any Accept header: %j',
    async (accept) => {
      const path = `/v1/${tenant.chatId}/answer_question_stream`
      const headers = { accept }
      const answer = await tenant.chat.call('POST', path, { body: { question: ' ' }, headers })
      expectRefusal(answer, { status: 400, project: false, names: 'question' })
    },
  )

  it('a question of 100,000 characters is accepted, and one more character is rejected', async () => {
    const question = 'blue lamp '.repeat(10_000)
    const path = `/v1/${tenant.chatId}/answer_question`
    expect((await tenant.chat.post(path, { question })).status).toBe(200)
    const answer = await tenant.chat.post(path, { question: `${question}!` })
    expectRefusal(answer, { status: 400, project: false, names: 'question' })
  })

  it.each(hardTexts)('settings keep %j, and the chat still answers questions', async (text) => {
    const { chatId, chat, project } = await createTenant(server.url)
    expect(project.url).toBe(server.url)
    const settings = { custom_prompt: text, context_files: [text, 'x'] }
    const changed = await admin.call('PATCH', `/v1/console/chats/${chatId}`, { body: { settings } })
    expect(changed.status, changed.text).toBe(200)
    expect(changed.body.settings).toMatchObject(settings)
    const published = await admin.ok('POST', `/v1/console/chats/${chatId}/publish`)
    expect(published.body.published_settings).toMatchObject(settings)
    const info = await chat.get(`/v1/${chatId}/info`)
    expect(info.status, info.text).toBe(200)
    expect(info.body.context_files).toBe(0)
    expect((await chat.post(`/v1/${chatId}/answer_question`, { question: 'Which lamp?' })).status).toBe(200)
  })

  it('a list of 100,000 context files works, and a repeated id counts once', async () => {
    const { chatId, chat } = await createTenant(server.url)
    const form = uploadForm('one.txt', 'The only lamp is yellow.')
    const { body: file } = await chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, form)
    const others = Array.from({ length: 100_000 }, (_, i) => `file${i}`)
    const settings = { context_files: [...others, file.file_id, file.file_id] }
    await admin.ok('PATCH', `/v1/console/chats/${chatId}`, { settings })
    await admin.ok('POST', `/v1/console/chats/${chatId}/publish`)
    const info = await chat.get(`/v1/${chatId}/info`)
    expect(info.status, info.text).toBe(200)
    expect(info.body.context_files).toBe(1)
    const { body } = await chat.ok('POST', `/v1/${chatId}/answer_question`, { question: 'Which lamp?' })
    expect(body.context[0].file_id).toBe(file.file_id)
  })

  it('a null in settings is rejected unless null has a meaning, and unknown settings are ignored', async () => {
    const path = `/v1/console/chats/${tenant.chatId}`
    for (const name of [
      'selected_model',
      'temperature',
      'max_tokens',
      'context_files',
      'show_sources_to_users',
      'quote_on_failure',
    ]) {
      const answer = await admin.call('PATCH', path, { body: { settings: { [name]: null } } })
      expectRefusal(answer, { status: 400, project: false, names: name })
    }
    const before = (await admin.ok('GET', path)).body
    const settings = { custom_prompt: null, nope: 1, __proto__x: 2, constructor: 3 }
    const { body } = await admin.ok('PATCH', path, { settings, nope: true, chat_id: 'x', title: null })
    expect(body).toEqual({ ...before, updated_at: expect.any(String) })
  })

  it.each(['\ud800 name', 'x\udc00', '😀é', "Robert'); drop table projects;--", '<b>', ' padded  '])(
    'the name %j is the same in every response',
    async (name) => {
      const project = (await admin.ok('POST', '/v1/console/projects', { name })).body
      const path = `/v1/console/projects/${project.project_id}`
      expect((await admin.ok('GET', path)).body).toEqual(project)
      expect(project.name).toBe(name.trim().toWellFormed())
      const key = (await admin.ok('POST', `${path}/keys`, { name })).body
      expect((await admin.ok('GET', `${path}/keys`)).body[0].name).toBe(key.name)
      const chat = (await admin.ok('POST', `${path}/chats`, { title: name })).body
      expect((await admin.ok('GET', `/v1/console/chats/${chat.chat_id}`)).body).toEqual(chat)
      const renamed = (await admin.ok('PATCH', path, { name: `${name}!` })).body
      expect((await admin.ok('GET', path)).body).toEqual(renamed)
    },
  )
})
