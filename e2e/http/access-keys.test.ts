import { beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'

const question = { question: 'What is up?' }

describe.each(sharedServers)('keys, publishing and deleting, on $database', ({ server }) => {
  let admin: Api

  beforeAll(async () => {
    admin = Api.admin(server.url)
  })

  async function createChat(body: object = { title: 'a chat' }) {
    const { project_id } = (await admin.ok('POST', '/v1/console/projects', { name: 'p' })).body
    const chat = (await admin.ok('POST', `/v1/console/projects/${project_id}/chats`, body)).body
    return { chat, projectId: project_id as string, path: `/v1/console/chats/${chat.chat_id}` }
  }

  it('ids and keys have their documented forms', async () => {
    const { chat, projectId, path } = await createChat()
    expect(projectId).toMatch(/^proj_[0-9a-z]{20}$/)
    expect(chat.chat_id).toMatch(/^chat[0-9a-z]{20}$/)
    const chatKey = (await admin.ok('POST', `${path}/keys`, {})).body
    const projectKey = (await admin.ok('POST', `/v1/console/projects/${projectId}/keys`, {})).body
    for (const key of [chatKey, projectKey]) expect(key.key_id).toMatch(/^key_[0-9a-z]{20}$/)
    expect(chatKey.api_key.split('_')).toEqual(['tk', chat.chat_id, expect.stringMatching(/^[0-9a-f]{48}$/)])
    expect(projectKey.api_key).toMatch(/^tk_[0-9a-z]+_[0-9a-f]{48}$/)
    const secrets = await Promise.all(
      Array.from({ length: 20 }, async () => (await admin.ok('POST', `${path}/keys`, {})).body.api_key),
    )
    expect(new Set(secrets).size).toBe(20)
  })

  it('a key is returned once; lists contain only its last four characters', async () => {
    const { projectId, path } = await createChat()
    for (const place of [path, `/v1/console/projects/${projectId}`]) {
      const made = (await admin.ok('POST', `${place}/keys`, { name: ' mine ', permissions: ['read'] })).body
      const { api_key, ...shown } = made
      expect(shown).toEqual({
        key_id: made.key_id,
        name: 'mine',
        permissions: ['read'],
        last4: api_key.slice(-4),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      })
      const list = await admin.get(`${place}/keys`)
      expect(list.body).toEqual([shown])
      expect(list.text).not.toContain(api_key.slice(-12))
      expect(list.text).not.toMatch(/hash|secret/i)
    }
    const everything = [`/v1/console/projects/${projectId}/chats`, path, '/v1/console/projects']
    for (const place of everything) expect((await admin.get(place)).text).not.toMatch(/tk_|secret|hash/)
  })

  it('a key without given permissions has all except admin, and a default name', async () => {
    const { path } = await createChat()
    for (const body of [undefined, {}, { permissions: null, name: null }]) {
      const key = (await admin.ok('POST', `${path}/keys`, body)).body
      expect(key).toMatchObject({ name: 'unnamed', permissions: ['ingest', 'read', 'write', 'query'] })
    }
    const twice = await admin.ok('POST', `${path}/keys`, { permissions: ['read', 'admin', 'read'] })
    expect(twice.body.permissions).toEqual(['read', 'admin'])
  })

  it('a project key is listed only for its project, a chat key only for its chat', async () => {
    const { projectId, path } = await createChat()
    const project = `/v1/console/projects/${projectId}`
    const [a, b] = [await admin.ok('POST', `${project}/keys`, {}), await admin.ok('POST', `${path}/keys`, {})]
    const idsAt = async (place: string) =>
      (await admin.get(`${place}/keys`)).body.map(({ key_id }: { key_id: string }) => key_id)
    expect(await idsAt(project)).toEqual([a.body.key_id])
    expect(await idsAt(path)).toEqual([b.body.key_id])
  })

  it('a new chat is unpublished and has no API access; its first key enables the access, later keys do not', async () => {
    const { chat, path } = await createChat()
    expect(chat).toMatchObject({
      published: false,
      api_access_enabled: false,
      published_settings: null,
      published_at: null,
    })
    const read = async () => (await admin.get(path)).body.api_access_enabled
    await admin.ok('POST', `${path}/keys`, {})
    expect(await read()).toBe(true)
    await admin.ok('PATCH', path, { api_access_enabled: false })
    await admin.ok('POST', `${path}/keys`, {})
    expect(await read()).toBe(false)
  })

  it('publishing copies the draft, and later changes of the draft do not change the published settings', async () => {
    const { chat, path } = await createChat()
    const first = { ...chat.settings, temperature: 0.1, context_files: [], custom_prompt: 'one' }
    await admin.ok('PATCH', path, { settings: { temperature: 0.1, context_files: [], custom_prompt: 'one' } })
    const published = (await admin.ok('POST', `${path}/publish`)).body
    expect(published).toMatchObject({ published: true, settings: first, published_settings: first })
    const draft = (await admin.ok('PATCH', path, { settings: { temperature: 2, custom_prompt: null } })).body
    expect(draft.settings).toEqual({ ...first, temperature: 2, custom_prompt: null })
    expect(draft).toMatchObject({ published_settings: first, published_at: published.published_at })
    const again = (await admin.ok('POST', `${path}/publish`)).body
    expect(again.published_settings).toEqual(draft.settings)
    const withdrawn = (await admin.ok('POST', `${path}/unpublish`)).body
    expect(withdrawn).toMatchObject({ published: false, published_settings: null, published_at: null })
    expect(withdrawn.settings).toEqual(draft.settings)
    expect((await admin.get(path)).body).toEqual(withdrawn)
  })

  it('two concurrent changes both take effect', async () => {
    const { path } = await createChat()
    const changes = [
      { temperature: 0.2 },
      { max_tokens: 7 },
      { custom_prompt: 'x' },
      { context_files: ['a'] },
    ]
    await Promise.all([
      ...changes.map((settings) => admin.ok('PATCH', path, { settings })),
      admin.ok('PATCH', path, { title: 'renamed' }),
      admin.ok('PATCH', path, { api_access_enabled: true }),
    ])
    const { settings, title, api_access_enabled } = (await admin.get(path)).body
    expect(settings).toMatchObject(Object.assign({}, ...changes))
    expect({ title, api_access_enabled }).toEqual({ title: 'renamed', api_access_enabled: true })
  })

  it('unpublishing stops answers at once, and publishing enables them again', async () => {
    const { chatId, chat } = await createTenant(server.url)
    const ask = () => chat.post(`/v1/${chatId}/answer_question`, question)
    expect((await ask()).status).toBe(200)
    await admin.ok('POST', `/v1/console/chats/${chatId}/unpublish`)
    expectRefusal(await ask(), { status: 400, project: false, names: 'no published settings' })
    await admin.ok('POST', `/v1/console/chats/${chatId}/publish`)
    expect((await ask()).status).toBe(200)
  })

  it('a key is accepted after Bearer in any case and with several spaces', async () => {
    const { chatId, chatKey } = await createTenant(server.url)
    for (const scheme of ['Bearer ', 'bearer ', 'BEARER ', 'bearer   ']) {
      const caller = new Api(server.url, { authorization: scheme + chatKey })
      expect((await caller.get(`/v1/${chatId}/info`)).status, scheme).toBe(200)
    }
  })

  it('a revoked key is rejected from the next request on, other keys still work', async () => {
    const tenant = await createTenant(server.url)
    const places = [
      { owner: `/v1/console/chats/${tenant.chatId}`, path: `/v1/${tenant.chatId}/info` },
      {
        owner: `/v1/console/projects/${tenant.projectId}`,
        path: `/v1/${tenant.projectId}/analytics/metrics`,
      },
    ]
    for (const { owner, path } of places) {
      const { api_key, key_id } = (await admin.ok('POST', `${owner}/keys`, {})).body
      const caller = admin.withKey(api_key)
      for (let i = 0; i < 3; i++) expect((await caller.get(path)).status).toBe(200)
      const during = Promise.all(Array.from({ length: 20 }, () => caller.get(path)))
      await admin.ok('DELETE', `/v1/console/keys/${key_id}`)
      for (let i = 0; i < 5; i++) expect((await caller.get(path)).status).toBe(401)
      await during
      expect((await caller.get(path)).status).toBe(401)
      expectRefusal(await admin.call('DELETE', `/v1/console/keys/${key_id}`), { status: 404, project: false })
    }
    expect((await tenant.chat.get(`/v1/${tenant.chatId}/info`)).status).toBe(200)
    expect((await tenant.project.get(`/v1/${tenant.projectId}/analytics/metrics`)).status).toBe(200)
  })

  it('after the deletion of a chat, its keys get 401, and the project still exists', async () => {
    const tenant = await createTenant(server.url)
    expect((await tenant.chat.get(`/v1/${tenant.chatId}/info`)).status).toBe(200)
    await admin.ok('DELETE', `/v1/console/chats/${tenant.chatId}`)
    expectRefusal(await tenant.chat.get(`/v1/${tenant.chatId}/info`), { status: 401, project: false })
    for (const path of ['', '/keys']) {
      expect((await admin.get(`/v1/console/chats/${tenant.chatId}${path}`)).status).toBe(404)
    }
    expect((await admin.get(`/graph_data/${tenant.chatId}`)).status).toBe(404)
    expect((await tenant.project.get(`/v1/${tenant.projectId}/analytics/metrics`)).status).toBe(200)
  })

  it('deleting a project deletes its keys, chats and traces', async () => {
    const tenant = await createTenant(server.url)
    const traces = `/v1/${tenant.projectId}/analytics/traces`
    const trace = { input: 'a', output: 'b' }
    await tenant.project.ok('POST', `/v1/${tenant.projectId}/traces`, trace)
    expect((await tenant.chat.get(`/v1/${tenant.chatId}/info`)).status).toBe(200)
    await admin.ok('DELETE', `/v1/console/projects/${tenant.projectId}`)
    expectRefusal(await tenant.project.get(traces), { status: 401, project: true })
    expectRefusal(await tenant.chat.get(`/v1/${tenant.chatId}/info`), { status: 401, project: false })
    for (const path of [
      `projects/${tenant.projectId}`,
      `projects/${tenant.projectId}/keys`,
      `chats/${tenant.chatId}`,
    ]) {
      expect((await admin.get(`/v1/console/${path}`)).status, path).toBe(404)
    }
    const { project } = await createTenant(server.url)
    expectRefusal(await project.get(traces), { status: 404, project: true, names: 'project not found' })
    expectRefusal(await project.post(`/v1/${tenant.projectId}/traces`, trace), { status: 404, project: true })
  })

  it('a project cannot read data of another project', async () => {
    const [one, two] = [await createTenant(server.url), await createTenant(server.url)]
    await one.project.ok('POST', `/v1/${one.projectId}/traces`, { input: 'mine', output: 'x', cost: 5 })
    expect((await two.project.get(`/v1/${two.projectId}/analytics/traces`)).body).toEqual([])
    expect((await two.project.get(`/v1/${two.projectId}/analytics/export?format=jsonl`)).text).toBe('')
    const metrics = (await two.project.get(`/v1/${two.projectId}/analytics/metrics`)).body
    expect(metrics).toMatchObject({ total_queries: 0, total_cost: 0 })
  })
})
