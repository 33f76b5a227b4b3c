import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, uploadForm } from '../support/api.ts'
import { appForm, asUser, registerApp, signIn } from '../support/applications.ts'
import { sharedServers } from '../support/databases.ts'
import { audience, type Issuer, signingKey, startIssuer } from '../support/issuer.ts'
import { expectRefusal } from '../support/refusal.ts'
import { routes } from '../support/routes.ts'

describe.each(sharedServers)('applications, on $database', ({ server }) => {
  let issuer: Issuer
  let admin: Api

  beforeAll(async () => {
    issuer = await startIssuer()
    admin = Api.admin(server.url)
  })
  afterAll(async () => {
    await issuer?.close()
  })

  const profile = async (user: Api) => (await user.ok('GET', '/v1/me/profile')).body

  it('are registered with an urlencoded or a multipart form', async () => {
    const registered = await registerApp(server.url, issuer.url)
    expect(registered).toMatchObject({
      success: true,
      app_name: 'an app',
      issuer: issuer.url,
      allowed_audiences: [audience],
      alg_allowlist: ['RS256', 'ES256'],
      jwks_uri: null,
      usage_instructions: {
        client_flow: expect.any(String),
        headers_required: { Authorization: expect.stringContaining('Bearer'), 'X-App-ID': registered.app_id },
      },
    })
    expect(registered.app_id).toMatch(/^app_v1_[0-9a-z]{20}$/)
    expect(registered.warning).toBeUndefined()
    const form = new FormData()
    for (const [name, value] of appForm(issuer.url)) form.set(name, value)
    const answer = await admin.call('POST', '/v1/console/apps/register', { body: form })
    expect(answer.status).toBe(201)
    expect(answer.body.app_id).not.toBe(registered.app_id)
  })

  it('have the given parent chat, or a new published chat', async () => {
    const tenant = await createTenant(server.url)
    expect(await registerApp(server.url, issuer.url, { chat_id: tenant.chatId })).toMatchObject({
      chat_id: tenant.chatId,
      project_id: tenant.projectId,
    })
    const { chat_id } = await registerApp(server.url, issuer.url, { project_id: tenant.projectId })
    const chat = (await admin.ok('GET', `/v1/console/chats/${chat_id}`)).body
    expect(chat).toMatchObject({ project_id: tenant.projectId, published: true, title: 'an app' })
  })

  it.each([
    [{ app_name: '' }, 'app_name'],
    [{ app_name: ' ' }, 'app_name'],
    [{ issuer: '' }, 'issuer'],
    [{ issuer: 'not a url' }, 'issuer'],
    [{ issuer: 'http://login.example.com' }, 'issuer'],
    [{ issuer: 'https://user:pass@login.example.com' }, 'issuer'],
    [{ allowed_audiences: '' }, 'allowed_audiences'],
    [{ allowed_audiences: 'one, two' }, 'allowed_audiences'],
    [{ allowed_audiences: '[]' }, 'allowed_audiences'],
    [{ allowed_audiences: '[1]' }, 'allowed_audiences'],
    [{ allowed_audiences: '"one"' }, 'allowed_audiences'],
    [{ alg_allowlist: '["HS256"]' }, 'alg_allowlist'],
    [{ alg_allowlist: '["none"]' }, 'alg_allowlist'],
    [{ alg_allowlist: '[]' }, 'alg_allowlist'],
    [{ alg_allowlist: 'RS256' }, 'alg_allowlist'],
    [{ jwks_uri: 'http://keys.example.com' }, 'jwks_uri'],
    [{ issuer: 'DYNAMIC', jwks_uri: 'https://keys.example.com' }, 'jwks_uri'],
  ])('are rejected with %j', async (fields: Record<string, string>, names) => {
    const before = (await admin.ok('GET', '/v1/console/apps')).body.length
    const answer = await admin.call('POST', '/v1/console/apps/register', {
      body: appForm(issuer.url, fields),
    })
    expectRefusal(answer, { status: 400, project: false, names })
    expect((await admin.ok('GET', '/v1/console/apps')).body).toHaveLength(before)
  })

  it('are not registered as JSON, for an unknown chat, or twice in one field', async () => {
    const json = await admin.post('/v1/console/apps/register', { app_name: 'x' })
    expect(json.status).toBe(415)
    const unknown = appForm(issuer.url, { chat_id: 'chat00000000000000000000' })
    expect((await admin.call('POST', '/v1/console/apps/register', { body: unknown })).status).toBe(404)
    const twice = appForm(issuer.url)
    twice.append('issuer', issuer.url)
    expectRefusal(await admin.call('POST', '/v1/console/apps/register', { body: twice }), {
      status: 400,
      project: false,
      names: 'issuer',
    })
  })

  it('identify the same person again, and distinguish other people', async () => {
    const { app_id } = await registerApp(server.url, issuer.url)
    const other = await registerApp(server.url, issuer.url)
    const ann = await signIn(server.url, app_id, issuer, 'ann')
    const first = await profile(ann)
    expect(first).toMatchObject({
      success: true,
      external_user_id: 'ann',
      app_id,
      issuer: issuer.url,
      subchat_created: true,
      privacy_info: { oauth_provider: issuer.url, permanent_subchat: true },
    })
    expect(first.user_id).toMatch(/^user_v1_[0-9a-f]{16}$/)
    expect(first.chat_id).toMatch(/^chat[0-9a-z]{20}$/)
    const again = await profile(await signIn(server.url, app_id, issuer, 'ann'))
    expect(again).toEqual({ ...first, subchat_created: false })
    const others = [
      await profile(await signIn(server.url, app_id, issuer, 'Ann')),
      await profile(await signIn(server.url, app_id, issuer, 'ann ')),
      await profile(await signIn(server.url, other.app_id, issuer, 'ann')),
    ]
    const ids = new Set([first, ...others].flatMap(({ user_id, chat_id }) => [user_id, chat_id]))
    expect(ids.size).toBe(8)
  })

  it.each(['ü\0\n😀', '\ud800', 'x'.repeat(3000), '../../etc', "'; drop table users; --", '{"a":1}'])(
    'accept the subject %j unchanged',
    async (subject) => {
      const { app_id } = await registerApp(server.url, issuer.url)
      const { external_user_id, user_id } = await profile(await signIn(server.url, app_id, issuer, subject))
      expect(external_user_id).toBe(subject)
      expect((await profile(await signIn(server.url, app_id, issuer, subject))).user_id).toBe(user_id)
    },
  )

  it('check in this order: header, application, API access, token', async () => {
    const { app_id } = await registerApp(server.url, issuer.url)
    const token = await issuer.token('ann')
    const bare = new Api(server.url, { authorization: `Bearer ${token}` })
    expectRefusal(await bare.get('/v1/me/profile'), { status: 400, project: false, names: 'X-App-ID' })
    const unknown = asUser(server.url, 'app_v1_00000000000000000000', 'no token')
    expectRefusal(await unknown.get('/v1/me/profile'), { status: 404, project: false, names: 'app' })
    const tokenless = new Api(server.url, { 'x-app-id': app_id })
    expectRefusal(await tokenless.get('/v1/me/profile'), {
      status: 401,
      project: false,
      names: 'Unauthorized: ',
    })
    await admin.ok('PATCH', `/v1/console/apps/${app_id}`, { api_access_enabled: false })
    expectRefusal(await asUser(server.url, app_id, 'no token').get('/v1/me/profile'), {
      status: 403,
      project: false,
      names: 'API access is disabled',
    })
    await admin.ok('PATCH', `/v1/console/apps/${app_id}`, { api_access_enabled: true })
    await profile(asUser(server.url, app_id, token))
  })

  it('hide a private chat from all others, including the administrator', async () => {
    const tenant = await createTenant(server.url)
    const { app_id } = await registerApp(server.url, issuer.url, { chat_id: tenant.chatId })
    const { chat_id } = await profile(await signIn(server.url, app_id, issuer, 'ann'))
    const { headers } = await admin.ok('POST', '/v1/console/session')
    const dashboard = new Api(server.url, { cookie: headers.get('set-cookie') ?? '', origin: server.url })
    const ofChats = routes.filter(({ path }) => path.includes('{chat_id}'))
    expect(ofChats.length).toBeGreaterThan(20)
    const calls: [Api, string, string, unknown?][] = [
      ...ofChats.map(({ method, path }): [Api, string, string] => [
        dashboard,
        method,
        path.replace('{chat_id}', chat_id).replaceAll(/\{\w+\}/g, 'x'),
      ]),
      [dashboard, 'POST', '/answer_question', { chat_id, question: 'What is it?' }],
      [admin, 'GET', `/v1/console/chats/${chat_id}`],
      [admin, 'PATCH', `/v1/console/chats/${chat_id}`, { title: 'mine' }],
      [admin, 'DELETE', `/v1/console/chats/${chat_id}`],
      [admin, 'POST', `/v1/console/chats/${chat_id}/keys`, {}],
      [admin, 'GET', `/graph_data/${chat_id}`],
      [admin, 'GET', `/debug_chat_data/${chat_id}`],
      [admin, 'DELETE', `/delete_chat_nodes/${chat_id}`],
      [admin, 'POST', '/answer_question', { chat_id, question: 'What is it?' }],
      [admin, 'POST', `/cleanup_chat_data/${tenant.chatId}?child_chat_ids=${chat_id}`],
      [tenant.chat, 'GET', `/v1/${chat_id}/info`],
      [tenant.chat, 'GET', `/v1/${chat_id}/files`],
      [tenant.chat, 'POST', `/v1/${chat_id}/search`, { query: 'it' }],
    ]
    for (const [api, method, path, body] of calls) {
      expectRefusal(await api.call(method, path, { body }), { status: 403, project: false, names: '' })
    }
    const chats = (await admin.ok('GET', `/v1/console/projects/${tenant.projectId}/chats`)).body
    expect(chats.map((chat: { chat_id: string }) => chat.chat_id)).toEqual([tenant.chatId])
  })

  it('list their users as ids and numbers, in pages, and delete users', async () => {
    const { app_id, chat_id } = await registerApp(server.url, issuer.url)
    const subjects = ['a', 'b', 'c', 'd', 'e']
    const made: string[] = []
    for (const subject of subjects) {
      made.unshift((await profile(await signIn(server.url, app_id, issuer, subject))).user_id)
    }
    expect((await admin.ok('GET', `/v1/console/apps/${app_id}`)).body).toMatchObject({
      app_id,
      chat_id,
      users: 5,
      files: 0,
      total_size_bytes: 0,
    })
    const empty = await registerApp(server.url, issuer.url, { chat_id })
    const ann = await signIn(server.url, app_id, issuer, 'a')
    for (const name of ['one.txt', 'two.txt']) {
      await ann.ok('POST', '/v1/me/chats/files/upload', uploadForm(name, `What ${name} says.`))
    }
    const listed = (await admin.ok('GET', `/v1/console/apps?project_id=${empty.project_id}`)).body
    const numbers = (id: string) => {
      const { users, files, total_size_bytes } = listed.find((app: { app_id: string }) => app.app_id === id)
      return { users, files, total_size_bytes }
    }
    expect(numbers(app_id)).toEqual({ users: 5, files: 2, total_size_bytes: 2 * 'What one.txt says.'.length })
    expect(numbers(empty.app_id)).toEqual({ users: 0, files: 0, total_size_bytes: 0 })
    const seen: string[] = []
    let path: string | undefined = `/v1/console/apps/${app_id}/users?limit=2`
    while (path) {
      const answer = await admin.ok('GET', path)
      for (const user of answer.body) {
        expect(Object.keys(user).sort()).toEqual([
          'chat_id',
          'created_at',
          'files',
          'total_size_bytes',
          'user_id',
        ])
        seen.push(user.user_id)
      }
      path = /<(.*)>/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(seen.sort()).toEqual(made.sort())
    const [gone] = made
    await admin.ok('DELETE', `/v1/console/apps/${app_id}/users/${gone}`)
    expect((await admin.call('DELETE', `/v1/console/apps/${app_id}/users/${gone}`)).status).toBe(404)
    expect((await admin.ok('GET', `/v1/console/apps/${app_id}`)).body.users).toBe(4)
    await admin.ok('DELETE', `/v1/console/apps/${app_id}`)
    expect((await admin.get(`/v1/console/apps/${app_id}`)).status).toBe(404)
    expect(
      (await signIn(server.url, app_id, issuer, 'a').then((api) => api.get('/v1/me/profile'))).status,
    ).toBe(404)
    expect((await admin.get(`/v1/console/chats/${chat_id}`)).status).toBe(200)
  })

  it('change their settings without changing the identities of users', async () => {
    const { app_id } = await registerApp(server.url, issuer.url)
    const path = `/v1/console/apps/${app_id}`
    const ann = await signIn(server.url, app_id, issuer, 'ann')
    const { user_id } = await profile(ann)
    const patch = async (body: unknown) => (await admin.call('PATCH', path, { body })).status
    expect(await patch({ allowed_audiences: ['another'] })).toBe(200)
    expect((await ann.get('/v1/me/profile')).status).toBe(401)
    expect(await patch({ allowed_audiences: ['another', audience], app_name: 'renamed' })).toBe(200)
    expect((await profile(ann)).user_id).toBe(user_id)
    expect(await patch({ alg_allowlist: ['ES256'] })).toBe(200)
    expect((await ann.get('/v1/me/profile')).status).toBe(401)
    for (const body of [
      { allowed_audiences: ['DYNAMIC'] },
      { allowed_audiences: [] },
      { allowed_issuers: ['https://a.example'] },
      { alg_allowlist: ['HS256'] },
      { jwks_uri: 'ftp://x' },
      { api_access_enabled: 'yes' },
    ]) {
      expect([await patch(body), body]).toEqual([400, body])
    }
    expect((await admin.ok('GET', path)).body).toMatchObject({ app_name: 'renamed', issuer: issuer.url })
  })

  it('treat the same subject with another audience as another user if audiences are DYNAMIC', async () => {
    const registered = await registerApp(server.url, issuer.url, { allowed_audiences: '["DYNAMIC"]' })
    expect(registered.warning).toEqual(expect.stringContaining('audience'))
    const of = async (aud: unknown) =>
      (await profile(asUser(server.url, registered.app_id, await issuer.token('ann', { claims: { aud } }))))
        .user_id
    const one = await of('one')
    expect(await of('two')).not.toBe(one)
    expect(await of(['one'])).toBe(one)
    await admin.ok('PATCH', `/v1/console/apps/${registered.app_id}`, { allowed_audiences: ['one'] })
    expect(await of('one')).toBe(one)
  })

  it('request a new key once, and use known keys while the provider is down', async () => {
    const own = await startIssuer()
    const { app_id } = await registerApp(server.url, own.url)
    const status = async (token: string) =>
      (await asUser(server.url, app_id, token).get('/v1/me/profile')).status
    const many = await Promise.all(Array.from({ length: 10 }, () => own.token('ann')))
    expect(await Promise.all(many.map(status))).toEqual(many.map(() => 200))
    expect(own.asked).toEqual(['/.well-known/openid-configuration', '/keys'])
    const second = await signingKey('second', 'ES256')
    own.keys.push(second)
    expect(await status(await own.token('ann', { key: second }))).toBe(200)
    expect(own.asked).toHaveLength(4)
    const unknown = await signingKey('third')
    for (let call = 0; call < 5; call++)
      expect(await status(await own.token('ann', { key: unknown }))).toBe(401)
    expect(own.asked).toHaveLength(4)
    await own.close()
    expect(await status(await own.token('ann', { key: second }))).toBe(200)
  })

  it('report an unreachable identity provider', async () => {
    const own = await startIssuer()
    const { app_id } = await registerApp(server.url, own.url)
    const token = await own.token('ann')
    await own.close()
    const answer = await asUser(server.url, app_id, token).get('/v1/me/profile')
    expectRefusal(answer, { status: 503, project: false, names: 'identity provider' })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
