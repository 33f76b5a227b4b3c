import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Api, createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import type { Ids, Route } from '../support/route.ts'
import { addressOf, freshBody } from '../support/route-requests.ts'
import { isProjectRoute, routeName, routes } from '../support/routes.ts'
import { userRoutes } from '../support/routes-apps.ts'
import { adminToken, type Server, startServer } from '../support/server.ts'
import { createIds } from '../support/state.ts'

const path = '/v1/console/session'
/** Routes that a session may call, except its sign-out, which has its own test. */
/** Routes that accept a session. */
const guarded = routes.filter(
  ({ credential, path: place, isOfKey }) => credential !== 'none' && place !== path && !isOfKey,
)
const isHarmless = ({ destroys, clears }: Route) => !destroys && !clears

describe.each(databases)('the sign-in of the dashboard, on $database', ({ database, env: environment }) => {
  let env: Record<string, string>
  let dataDir: string
  let server: Server
  let admin: Api
  let tenant: Tenant

  const options = () => ({
    ...env,
    CAIRN_TRUST_PROXY: 'loopback',
    CAIRN_WRONG_ADMIN_TOKENS_PER_MINUTE: '100000',
  })

  beforeAll(async () => {
    env = await environment()
    dataDir = await mkdtemp(join(tmpdir(), 'cairn-e2e-'))
    server = await startServer({ dataDir, env: options() })
    admin = Api.admin(server.url)
    tenant = await createTenant(server.url)
  })
  afterAll(async () => {
    await server?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** The cookie of a new session, as a browser sends it. */
  async function signIn(): Promise<string> {
    const { headers } = await admin.ok('POST', path)
    return (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  }

  /** A client that sends the headers of a page of the dashboard. */
  const pageWith = (cookie: string, headers: Record<string, string> = {}) =>
    new Api(server.url, { cookie, origin: server.url, ...headers })

  it('sets a cookie that scripts and other sites cannot use, for the admin token', async () => {
    const { status, headers, body, text } = await admin.call('POST', path)
    expect(status).toBe(201)
    expect(body).toEqual({ signed_in: true, expires_at: expect.any(String) })
    const days = (Date.parse(body.expires_at) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.99)
    expect(days).toBeLessThanOrEqual(7)
    const [cookie = '', ...attributes] = (headers.get('set-cookie') ?? '').split('; ')
    expect(cookie).toMatch(/^cairn_session=[0-9a-f]{48}$/)
    expect(attributes).toEqual(['Path=/', 'Max-Age=604800', 'HttpOnly', 'SameSite=Strict'])
    expect(text).not.toContain(cookie.split('=')[1])
    const overHttps = await admin.call('POST', path, { headers: { 'x-forwarded-proto': 'https' } })
    expect(overHttps.headers.get('set-cookie')).toMatch(/; Secure$/)
  })

  it('creates no session for a wrong token, without a token, or for a session', async () => {
    const cookie = await signIn()
    for (const caller of [
      new Api(server.url),
      new Api(server.url, { 'x-admin-token': 'x' }),
      pageWith(cookie),
    ]) {
      const answer = await caller.call('POST', path)
      expectRefusal(answer, { status: 401 })
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
  })

  it('returns whether a cookie is a session', async () => {
    const signedOut = { signed_in: false, expires_at: null }
    expect((await new Api(server.url).ok('GET', path)).body).toEqual(signedOut)
    expect((await pageWith('cairn_session=0').ok('GET', path)).body).toEqual(signedOut)
    const { status, headers, body } = await pageWith(`theme=dark; ${await signIn()}; a=b`).call('GET', path)
    expect([status, body.signed_in]).toEqual([200, true])
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('ends only its own session by the sign-out', async () => {
    const [mine, another] = [await signIn(), await signIn()]
    const answer = await pageWith(mine).ok('DELETE', path)
    expect(answer.headers.get('set-cookie')).toMatch(/^cairn_session=; Path=\/; Max-Age=0;/)
    expectRefusal(await pageWith(mine).call('GET', '/v1/console/projects'), { status: 401, names: 'sign in' })
    await pageWith(another).ok('GET', '/v1/console/projects')
  })

  it('a credential in a header overrides the cookie', async () => {
    const cookie = await signIn()
    const traces = `/v1/${tenant.projectId}/analytics/traces`
    for (const headers of [{ 'x-admin-token': 'x' }, { authorization: 'Bearer tk_x_y' }]) {
      expectRefusal(await pageWith(cookie, headers).call('GET', '/v1/console/projects'), { status: 401 })
    }
    const wrongKey = pageWith(cookie, { authorization: 'Bearer tk_x_y' })
    expectRefusal(await wrongKey.call('GET', traces), { status: 401, project: true })
    // An expired cookie does not affect a valid key.
    await pageWith('cairn_session=0', tenant.project.credential).ok('GET', traces)
  })

  describe('what a session may do', () => {
    let cookie: string
    let ids: Ids

    beforeAll(async () => {
      cookie = await signIn()
      ids = await createIds(tenant)
    })

    function call(route: Route, headers: Record<string, string> = {}): Promise<Answer> {
      const body = freshBody(route, ids)
      const page = pageWith(cookie, headers)
      // Deletions are tested with unknown ids.
      const address = isHarmless(route) ? addressOf(route, ids) : route.path.replaceAll(/\{\w+\}/g, 'none')
      return page.call(route.method, address, { ...(body !== undefined && { body }) })
    }

    // Authorization needs only the session from the database.
    const tried = database === 'SQLite' ? guarded : guarded.filter((_, index) => index % 10 === 0)

    it.each(tried.map((route) => ({ name: routeName(route), route })))('calls $name', async ({ route }) => {
      const { status, text } = await call(route)
      expect(status, text).toBe(isHarmless(route) ? route.status : 404)
    })

    it('reads a chat whose API access is disabled', async () => {
      const chat = `/v1/console/chats/${ids.chat_id}`
      await admin.ok('PATCH', chat, { api_access_enabled: false })
      await pageWith(cookie).ok('POST', `/v1/${ids.chat_id}/search`, { query: 'leave' })
      await admin.ok('PATCH', chat, { api_access_enabled: true })
    })

    it('gets 404 for unknown resources', async () => {
      const page = pageWith(cookie)
      expectRefusal(await page.call('GET', '/v1/proj_none/analytics/traces'), { status: 404, project: true })
      expectRefusal(await page.call('GET', '/v1/none/files'), { status: 404 })
    })

    it('is rejected by the routes of end users', async () => {
      for (const { method, path: place } of userRoutes) {
        const answer = await pageWith(cookie).call(method, place.replaceAll(/\{\w+\}/g, 'x'))
        expectRefusal(answer, { status: 400, names: 'X-App-ID' }, place)
      }
    })

    it('is rejected for pages of other origins, on every route', async () => {
      const foreign: Record<string, string>[] = [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: server.url.replace(/:\d+$/, ':1') },
        { origin: server.url, 'sec-fetch-site': 'same-site' },
        { origin: server.url, 'sec-fetch-site': 'cross-site' },
      ]
      const changing = tried.filter(({ method }) => method !== 'GET')
      for (const [index, headers] of foreign.entries()) {
        for (const route of index === 0 ? changing : changing.slice(0, 1)) {
          const expected = { status: 401, project: isProjectRoute(route) }
          expectRefusal(
            await call(route, headers),
            expected,
            `${routeName(route)} ${JSON.stringify(headers)}`,
          )
        }
        const read = await pageWith(cookie, headers).call('GET', '/v1/console/projects')
        expectRefusal(read, { status: 401 }, JSON.stringify(headers))
        expect(read.headers.get('access-control-allow-credentials')).toBeNull()
      }
      const unsaid = new Api(server.url, { cookie })
      expectRefusal(await unsaid.call('POST', '/v1/console/projects', { body: { name: 'x' } }), {
        status: 401,
      })
    })
  })

  it('a session ends with a change of the admin token, but survives a restart', async () => {
    const cookie = await signIn()
    await server.stop()
    const another = 'another-admin-token-for-this-test'
    server = await startServer({ dataDir, env: { ...options(), CAIRN_ADMIN_TOKEN: another } })
    expect((await pageWith(cookie).ok('GET', path)).body.signed_in).toBe(false)
    await server.stop()
    server = await startServer({ dataDir, env: { ...options(), CAIRN_ADMIN_TOKEN: adminToken } })
    expect((await pageWith(cookie).ok('GET', path)).body.signed_in).toBe(true)
  })
})
