import { afterEach, describe, expect, it } from 'vitest'
import { Api, createTenant } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'
import { wireCall } from '../support/wire.ts'

const retryAfter = (headers: Headers) => Number(headers.get('retry-after'))
const methods = 'GET, POST, PUT, PATCH, DELETE'
const allowed =
  'Authorization, X-API-Key, X-App-ID, Content-Type, Idempotency-Key, X-Request-Id, traceparent, tracestate'
const exposed = [
  'X-Request-Id',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Next-Cursor',
  'Link',
  'Content-Disposition',
]

/** The names in a list header, in lower case and sorted. */
const names = (text: string | null | undefined) => (text ?? '').toLowerCase().split(/, */).toSorted()

describe.each(oneDatabase)('limits and origins, on $database', ({ env }) => {
  let server: Server | undefined
  const start = async (more: Record<string, string>) => {
    server = await startServer({ env: { ...(await env()), ...more } })
    return server.url
  }
  afterEach(async () => {
    await server?.stop()
    server = undefined
  })

  it('a key over its requests per second gets 429 with the seconds to wait, and other keys still work', async () => {
    const url = await start({ CAIRN_REQUESTS_PER_SECOND: '5' })
    const [tenant, other] = [await createTenant(url), await createTenant(url)]
    const path = `/v1/${tenant.projectId}/analytics/metrics`
    const burst = await Promise.all(Array.from({ length: 20 }, () => tenant.project.get(path)))
    const refused = burst.filter(({ status }) => status === 429)
    expect(burst.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5)
    expect(refused.length).toBeGreaterThanOrEqual(10)
    for (const answer of refused) {
      expectRefusal(answer, { status: 429, project: true, names: 'requests per second' })
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      expect(retryAfter(answer.headers)).toBeLessThanOrEqual(2)
    }
    // The limit is checked after the credential and before everything else. All endpoints share it.
    const trace = { input: 'a', output: 'b' }
    const mixed = await Promise.all(
      Array.from({ length: 15 }, () => [
        tenant.project.get(`/v1/${other.projectId}/analytics/traces`),
        tenant.project.post(`/v1/${tenant.projectId}/traces`, trace),
      ]).flat(),
    )
    expect(mixed.filter(({ status }) => status !== 429).length).toBeLessThan(15)
    for (const status of mixed.map((answer) => answer.status)) expect([201, 403, 429]).toContain(status)
    expect((await tenant.chat.get(`/v1/${tenant.chatId}/info`)).status).toBe(200)
    expect((await other.project.get(`/v1/${other.projectId}/analytics/metrics`)).status).toBe(200)
    expect((await new Api(url).get('/v1/health')).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expect((await tenant.project.get(path)).status).toBe(200)
  })

  it('thirty wrong admin tokens also block the valid one from this address, but keys still work', async () => {
    const url = await start({})
    const tenant = await createTenant(url)
    const admin = Api.admin(url)
    const wrong = new Api(url, { 'x-admin-token': 'a wrong token' })
    for (let i = 0; i < 30; i++)
      expectRefusal(await wrong.get('/v1/console/projects'), { status: 401, project: false })
    for (const caller of [wrong, admin]) {
      const answer = await caller.get('/v1/console/projects')
      expectRefusal(answer, { status: 429, project: false, names: 'admin tokens' })
      expect(retryAfter(answer.headers)).toBeGreaterThan(30)
      expect(retryAfter(answer.headers)).toBeLessThanOrEqual(60)
    }
    expectRefusal(await new Api(url).get('/v1/console/projects'), { status: 401, project: false })
    expect((await tenant.chat.get(`/v1/${tenant.chatId}/info`)).status).toBe(200)
  })

  it('wrong keys from one address get 429 above their limit, and a valid key still works', async () => {
    const url = await start({ CAIRN_WRONG_KEYS_PER_MINUTE: '4' })
    const tenant = await createTenant(url)
    const wrong = Api.admin(url).withKey(`tk_${tenant.chatId}_wrong`)
    const path = `/v1/${tenant.chatId}/info`
    for (let i = 0; i < 4; i++) expectRefusal(await wrong.get(path), { status: 401, project: false })
    const answer = await wrong.get(path)
    expectRefusal(answer, { status: 429, project: false, names: 'API keys' })
    expect(retryAfter(answer.headers)).toBeGreaterThanOrEqual(1)
    expect((await tenant.chat.get(path)).status).toBe(200)
    expectRefusal(await new Api(url).get(path), { status: 401, project: false })
    expect((await Api.admin(url).get('/v1/console/projects')).status).toBe(200)
  })

  it('browsers of any origin can call with a bearer token, and read every documented header', async () => {
    const url = await start({})
    const tenant = await createTenant(url)
    const path = `/v1/${tenant.projectId}/analytics/traces`
    const origin = 'https://app.example.com'
    const ask = {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization',
    }
    for (const target of [path, '/v1/console/projects', '/v1/nope', '/graph_data/x']) {
      const { status, headers, text } = await wireCall(url, 'OPTIONS', target, { headers: ask })
      expect([status, text]).toEqual([204, ''])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(names(headers.get('access-control-allow-methods'))).toEqual(names(methods))
      expect(names(headers.get('access-control-allow-headers'))).toEqual(names(allowed))
      expect(headers.has('access-control-allow-credentials')).toBe(false)
    }
    const authorization = `Bearer ${tenant.projectKey}`
    for (const headers of [{ authorization }, {}] as Record<string, string>[]) {
      const answer = await wireCall(url, 'GET', path, { headers: { origin, ...headers } })
      expect(answer.status).toBe(headers.authorization ? 200 : 401)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(names(answer.headers.get('access-control-expose-headers'))).toEqual(names(exposed.join(', ')))
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
    }
    for (const headers of [{}, { origin }] as Record<string, string>[]) {
      const answer = await wireCall(url, 'OPTIONS', path, { headers })
      expectRefusal(answer, { status: 400 })
    }
  })

  it('with a list of origins, only these origins are allowed', async () => {
    const url = await start({ CAIRN_CORS_ORIGINS: 'https://a.example.com,https://b.example.com' })
    const preflight = (origin: string) =>
      wireCall(url, 'OPTIONS', '/v1/health', { headers: { origin, 'access-control-request-method': 'GET' } })
    const allowedFor = async (origin: string) =>
      (await preflight(origin)).headers.get('access-control-allow-origin')
    expect(await allowedFor('https://a.example.com')).toBe('https://a.example.com')
    expect(await allowedFor('https://b.example.com')).toBe('https://b.example.com')
    for (const stranger of [
      'https://c.example.com',
      'http://a.example.com',
      'null',
      'https://a.example.com.evil.org',
    ]) {
      expect(await allowedFor(stranger), stranger).not.toBe(stranger)
      expect(await allowedFor(stranger), stranger).not.toBe('*')
    }
    const get = await wireCall(url, 'GET', '/v1/health', { headers: { origin: 'https://a.example.com' } })
    expect(get.headers.get('access-control-allow-origin')).toBe('https://a.example.com')
    expect(names(get.headers.get('vary'))).toContain('origin')
    expect(get.headers.has('access-control-allow-credentials')).toBe(false)
  })

  it('unknown paths and methods get a 404 in JSON, in the form of their API', async () => {
    const url = await start({})
    const paths = [
      '/nope',
      '/v1',
      '/v1/',
      '/v1/x',
      '/v1/console',
      '/v1/console/nope',
      '/V1/HEALTH',
      '/v1/health/',
    ]
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        expectRefusal(await wireCall(url, method, path), { status: 404, project: false }, `${method} ${path}`)
      }
    }
    expectRefusal(await wireCall(url, 'GET', '/v1/proj_x/nope'), { status: 404, project: true })
    expectRefusal(await wireCall(url, 'PUT', '/v1/proj_x/traces'), { status: 404, project: true })
    expect((await wireCall(url, 'HEAD', '/v1/health')).status).toBe(200)
    expect((await wireCall(url, 'HEAD', '/nope')).status).toBe(404)
  })
})
