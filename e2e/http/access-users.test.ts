import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { asUser, registerApp, signIn } from '../support/applications.ts'
import { sharedServers } from '../support/databases.ts'
import { type Issuer, startIssuer } from '../support/issuer.ts'
import { expectRefusal } from '../support/refusal.ts'
import { routeName, routes } from '../support/routes.ts'
import { userRoutes } from '../support/routes-apps.ts'
import { adminToken } from '../support/server.ts'

const named = userRoutes.map((route) => ({ name: routeName(route), route }))

const question = () =>
  new URLSearchParams({
    messages: JSON.stringify([{ role: 'user', content: 'Where does the heron live?' }]),
  })

/** Valid bodies of the routes with a body, by the id of another user's answer. */
const bodies: Record<string, (answerId: string) => unknown> = {
  'POST /v1/me/chats/query': question,
  'POST /v1/me/chats/feedback': (answerId) => new URLSearchParams({ answer_id: answerId, rating: 'down' }),
  'POST /v1/me/chats/files/upload': () => uploadForm('of-bob.txt', 'The heron Hugo lives in Mull.'),
  'POST /v1/me/chats/files/upload-bulk': () => {
    const form = new FormData()
    form.append('files', new Blob(['The heron Henry lives in Iona.']), 'of-bob.txt')
    return form
  },
}

describe.each(sharedServers)('routes of end users and other credentials, on $database', ({ server }) => {
  let issuer: Issuer
  let tenant: Tenant
  let appId: string
  let token: string

  beforeAll(async () => {
    issuer = await startIssuer()
    tenant = await createTenant(server.url)
    token = await issuer.token('ann')
  })
  beforeEach(async () => {
    appId = (await registerApp(server.url, issuer.url, { chat_id: tenant.chatId })).app_id
  })
  afterAll(async () => {
    await issuer?.close()
  })

  const call = (api: Api, { method, path }: (typeof userRoutes)[number]) =>
    api.call(method, path.replace(/\{\w+\}/, 'some-id'))

  it.each(named)('$name accepts only an ID token of its application', async ({ route }) => {
    const refused = async (headers: Record<string, string>, status: number, names = '') =>
      expectRefusal(await call(new Api(server.url, headers), route), { status, project: false, names })
    const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
    await refused({}, 400, 'X-App-ID')
    await refused(bearer(token), 400, 'X-App-ID')
    await refused({ 'x-admin-token': adminToken }, 400, 'X-App-ID')
    await refused({ 'x-app-id': 'nope', ...bearer(token) }, 404, 'not found')
    await refused({ 'x-app-id': 'n\u00f6pe', ...bearer(token) }, 404, 'not found')
    const of = { 'x-app-id': appId }
    await refused(of, 401, 'Unauthorized: ')
    await refused({ ...of, 'x-admin-token': adminToken }, 401, 'Unauthorized: ')
    for (const text of [tenant.projectKey, tenant.chatKey, adminToken, `${token}x`, 'null']) {
      await refused({ ...of, ...bearer(text) }, 401, 'Unauthorized: ')
    }
    await refused({ ...of, authorization: token }, 401, 'Unauthorized: ')
    await Api.admin(server.url).ok('PATCH', `/v1/console/apps/${appId}`, { api_access_enabled: false })
    await refused({ ...of, ...bearer(token) }, 403, 'API access is disabled')
  })

  it.each(named)('$name neither returns nor deletes data of another user', async ({ route }) => {
    const otherApp = (await registerApp(server.url, issuer.url, { chat_id: tenant.chatId })).app_id
    const ann = asUser(server.url, appId, token)
    const { user_id, chat_id } = (await ann.ok('GET', '/v1/me/profile')).body
    const note = uploadForm('of-ann.txt', 'The heron Hubert lives in Oban.')
    const { file_id } = (await ann.ok('POST', '/v1/me/chats/files/upload', note)).body
    const { answer_id } = (await ann.ok('POST', '/v1/me/chats/query', question())).body
    const before = (await ann.ok('GET', '/v1/me/chats/files')).text
    const namesAnother = route.path.includes('{file_id}') || route.path === '/v1/me/chats/feedback'
    for (const stranger of [
      await signIn(server.url, appId, issuer, 'bob'),
      // The same person in another application is another user.
      asUser(server.url, otherApp, token),
    ]) {
      const path = route.path.replace('{file_id}', file_id)
      const body = bodies[routeName(route)]?.(answer_id)
      const answer = await stranger.call(route.method, path, { body })
      if (namesAnother) expectRefusal(answer, { status: 404, project: false, names: 'not found' })
      else expect(answer.status, answer.text).toBe(200)
      const shown = answer.text.replace(file_id, '')
      for (const secret of [user_id, chat_id, 'of-ann', 'Hubert']) expect(shown).not.toContain(secret)
    }
    expect((await ann.ok('GET', '/v1/me/chats/files')).text).toBe(before)
  })

  it("an ID token is rejected by the developer's routes", async () => {
    const user = asUser(server.url, appId, token)
    for (const route of routes.filter(({ credential }) => credential !== 'none')) {
      const answer = await user.call(route.method, route.path.replaceAll(/\{\w+\}/g, 'x'))
      expectRefusal(answer, { status: 401 }, routeName(route))
    }
  })

  it('one person gets one identity and one chat, also with many concurrent first calls', async () => {
    const people = Array.from({ length: 10 }, (_, index) => `person-${index}`)
    const calls = people.flatMap((person) => Array.from({ length: 4 }, () => person))
    const profiles = await Promise.all(
      calls.map(async (person) => {
        const api = await signIn(server.url, appId, issuer, person)
        return (await api.ok('GET', '/v1/me/profile')).body
      }),
    )
    expect(new Set(profiles.map(({ user_id }) => user_id)).size).toBe(people.length)
    expect(new Set(profiles.map(({ chat_id }) => chat_id)).size).toBe(people.length)
    expect(profiles.filter(({ subchat_created }) => subchat_created)).toHaveLength(people.length)
  })
})
