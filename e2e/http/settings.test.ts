import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'

const defaults = {
  selected_model: 'gpt-4o-mini',
  temperature: 0.7,
  max_tokens: 1000,
  custom_prompt: null,
  conversation_history_limit: 20,
  context_files: 'all',
  show_sources_to_users: true,
  rerank_model: null,
  embedding_model: null,
  quote_on_failure: false,
}

describe.each(sharedServers)('settings of a chat, on $database', ({ server }) => {
  let admin: Api
  let tenant: Tenant
  let path: string
  let console: string

  beforeAll(async () => {
    admin = Api.admin(server.url)
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url)
    path = `/v1/${tenant.chatId}/settings`
    console = `/v1/console/chats/${tenant.chatId}`
  })

  const read = async () => (await tenant.chat.ok('GET', path)).body
  const change = async (settings: object) => (await tenant.chat.ok('POST', path, settings)).body
  const history = async () => (await admin.ok('GET', `${console}/history`)).body

  async function upload(name: string, text: string): Promise<string> {
    const form = uploadForm(`${name}.txt`, text)
    return (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)).body.file_id
  }

  /** The files that a search and an answer use; both must use the same. */
  async function usedFiles(words: string): Promise<string[]> {
    const base = `/v1/${tenant.chatId}`
    const { body: search } = await tenant.chat.ok('POST', `${base}/search`, { query: words })
    const { body: answer } = await tenant.chat.ok('POST', `${base}/answer_question`, { question: words })
    expect(answer.context).toEqual(search.results)
    return search.results.map(({ file_id }: { file_id: string }) => file_id).toSorted()
  }

  it('are returned as published', async () => {
    expect(await read()).toEqual({ success: true, chat_id: tenant.chatId, settings: defaults })
    await admin.ok('PATCH', console, { settings: { temperature: 2 } })
    expect((await read()).settings).toEqual(defaults)
    await admin.ok('POST', `${console}/publish`)
    expect((await read()).settings).toEqual({ ...defaults, temperature: 2 })
  })

  it('are returned as drafted while nothing is published', async () => {
    await admin.ok('POST', `${console}/unpublish`)
    await admin.ok('PATCH', console, { settings: { max_tokens: 7 } })
    expect((await read()).settings).toEqual({ ...defaults, max_tokens: 7 })
  })

  it('change only in the sent fields, and are published at once', async () => {
    const changes = { temperature: 0, custom_prompt: 'Be brief.', show_sources_to_users: false }
    const settings = { ...defaults, ...changes }
    expect(await change(changes)).toEqual({
      success: true,
      chat_id: tenant.chatId,
      updated: Object.keys(changes),
      settings,
      message: expect.any(String),
    })
    expect((await read()).settings).toEqual(settings)
    const { body: chat } = await admin.ok('GET', console)
    expect(chat).toMatchObject({ published: true, settings, published_settings: settings })
    const again = { custom_prompt: null, conversation_history_limit: 0 }
    expect((await change(again)).settings).toEqual({ ...settings, ...again })
  })

  it('of an unpublished chat are published with its draft', async () => {
    await admin.ok('POST', `${console}/unpublish`)
    await admin.ok('PATCH', console, { settings: { max_tokens: 7 } })
    expectRefusal(await tenant.chat.post(`/v1/${tenant.chatId}/search`, { query: 'x' }), { status: 400 })
    expect((await change({ temperature: 1 })).settings).toEqual({
      ...defaults,
      max_tokens: 7,
      temperature: 1,
    })
    expect((await tenant.chat.post(`/v1/${tenant.chatId}/search`, { query: 'x' })).status).toBe(200)
  })

  it('ignore unknown fields, and return the names of the known sent ones', async () => {
    const sent = { max_tokens: 5, nope: 1, chat_id: 'x', constructor: 2 }
    const { updated, settings } = await change(sent)
    expect(updated).toEqual(['max_tokens'])
    expect(settings).toEqual({ ...defaults, max_tokens: 5 })
    expect(await change({ nope: 1 })).toMatchObject({ updated: [], settings })
  })

  it('lose no field in concurrent changes', async () => {
    const changes = [{ temperature: 1.5 }, { max_tokens: 50 }, { custom_prompt: 'x' }, { context_files: [] }]
    await Promise.all(changes.map(change))
    expect((await read()).settings).toEqual(Object.assign({}, defaults, ...changes))
    expect(await history()).toHaveLength(5)
  })

  it('restrict the files that answers and searches use', async () => {
    const hall = await upload('hall', 'The lamp in the hall is blue.')
    const attic = await upload('attic', 'The lamp in the attic is red.')
    expect(await usedFiles('Which lamp is blue?')).toEqual([hall, attic].toSorted())
    await change({ context_files: [attic, 'no-such-file'] })
    expect(await usedFiles('Which lamp is red?')).toEqual([attic])
    const yard = await upload('yard', 'The lamp in the yard is green.')
    expect(await usedFiles('Which lamp is red?')).toEqual([attic])
    expect((await tenant.chat.ok('GET', `/v1/${tenant.chatId}/info`)).body.context_files).toBe(1)
    await change({ context_files: [] })
    expect(await usedFiles('Which lamp is red?')).toEqual([])
    await change({ context_files: 'all' })
    expect(await usedFiles('Which lamp is green?')).toEqual([hall, attic, yard].toSorted())
  })

  it('count the published context files in the info of the chat, not the drafted ones', async () => {
    await upload('hall', 'The lamp in the hall is blue.')
    await admin.ok('PATCH', console, { settings: { context_files: [] } })
    const filesOfInfo = async () =>
      (await tenant.chat.ok('GET', `/v1/${tenant.chatId}/info`)).body.context_files
    expect(await filesOfInfo()).toBe(1)
    await admin.ok('POST', `${console}/publish`)
    expect(await filesOfInfo()).toBe(0)
  })

  it('are kept in a history of the last ten publications, newest first', async () => {
    expect(await history()).toEqual([{ published_at: expect.any(String), settings: defaults }])
    await admin.ok('PATCH', console, { settings: { max_tokens: 1 } })
    expect(await history()).toHaveLength(1)
    await admin.ok('POST', `${console}/publish`)
    await admin.ok('POST', `${console}/unpublish`)
    expect((await history()).map(({ settings }: { settings: object }) => settings)).toEqual([
      { ...defaults, max_tokens: 1 },
      defaults,
    ])
    for (let n = 2; n <= 11; n++) await change({ max_tokens: n })
    const kept = await history()
    const limits = kept.map(({ settings }: { settings: { max_tokens: number } }) => settings.max_tokens)
    expect(limits).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
    const times: number[] = kept.map(({ published_at }: { published_at: string }) => Date.parse(published_at))
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => b - a))
    const { body: chat } = await admin.ok('GET', console)
    expect(kept[0]).toEqual({ published_at: chat.published_at, settings: chat.published_settings })
  })

  it('of a chat that is published later have no history until then', async () => {
    const chats = `/v1/console/projects/${tenant.projectId}/chats`
    const { chat_id } = (await admin.ok('POST', chats, { title: 'a draft' })).body
    const draft = `/v1/console/chats/${chat_id}`
    expect((await admin.ok('GET', `${draft}/history`)).body).toEqual([])
    await admin.ok('POST', `${draft}/publish`)
    expect((await admin.ok('GET', `${draft}/history`)).body).toHaveLength(1)
    expect(await history()).toHaveLength(1)
  })
})
