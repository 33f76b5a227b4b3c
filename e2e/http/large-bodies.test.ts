import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Api, createTenant, type Tenant } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import { HeldRequest, keepAliveAgent } from '../support/held-request.ts'
import { expectRefusal } from '../support/refusal.ts'
import type { Ids } from '../support/route.ts'
import { addressOf, credentialOf } from '../support/route-requests.ts'
import { isProjectRoute, jsonRoutes, routeName } from '../support/routes.ts'
import { adminToken, type Server, startServer } from '../support/server.ts'
import { createIds } from '../support/state.ts'
import { wireCall } from '../support/wire.ts'

const list = (length: number, item: string) => `[${Array.from({ length }, () => item).join(',')}]`
const fields = (length: number) => `{${Array.from({ length }, (_, i) => `"k${i}":0`).join(',')}}`

/** JSON that every route rejects, with the setting in the error message. */
const excessive = [
  ['nests deeply', '['.repeat(100_000), 'CAIRN_MAX_JSON_DEPTH'],
  [
    'nests deeply in a large body',
    `{"a":"${'x'.repeat(100_000)}","b":${'['.repeat(2000)}`,
    'CAIRN_MAX_JSON_DEPTH',
  ],
  ['has a wide object', `{"unknown":${fields(10_001)}}`, 'CAIRN_MAX_JSON_FIELDS'],
  ['has many values', `{"unknown":{"a":${list(200_001, '0')}}}`, 'CAIRN_MAX_JSON_VALUES'],
] as const

describe.each(oneDatabase)('large bodies, on $database', ({ env }) => {
  let server: Server
  let tenant: Tenant
  let ids: Ids

  beforeAll(async () => {
    server = await startServer({ env: { ...(await env()), CAIRN_MAX_BODY_BYTES_UNDER_WAY: '30000000' } })
    tenant = await createTenant(server.url, ['ingest', 'read', 'write', 'query', 'admin'])
    ids = await createIds(tenant)
  })
  afterAll(async () => {
    await server?.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  // Requests of OpenTelemetry may have as many values as a batch; see otlp-limits.test.ts.
  const strict = jsonRoutes.filter(({ isOfKey }) => !isOfKey)
  it.each(strict.map((route) => ({ name: routeName(route), route })))(
    '$name rejects a body with too many levels, fields or values',
    async ({ route }) => {
      const headers = { ...credentialOf(route, tenant, adminToken), 'content-type': 'application/json' }
      for (const [what, body, setting] of excessive) {
        const answer = await wireCall(server.url, route.method, addressOf(route, ids), { headers, body })
        expectRefusal(answer, { status: 400, project: isProjectRoute(route), names: setting }, what)
      }
    },
  )

  it('a batch may have millions of values if no item has too many', async () => {
    const path = `/v1/${tenant.projectId}/traces/batch`
    const span = `{"name":"s","attributes":${fields(18)}}`
    const item = `{"input":"a","output":"b","spans":${list(40, span)}}`
    const batch = await tenant.project.post(path, `{"traces":${list(1000, item)}}`)
    expect(batch.body, batch.text.slice(0, 200)).toMatchObject({ created: 1000, failed: 0 })
    const many = `{"traces":[${list(100_000, '0')},${list(100_000, '0')},${list(100_000, '0')}]}`
    expectRefusal(await tenant.project.post(path, many), { status: 400, project: true, names: 'traces[0]' })
    const all = `{"traces":[${Array.from({ length: 11 }, () => list(190_000, '0'))}]}`
    expectRefusal(await tenant.project.post(path, all), {
      status: 400,
      project: true,
      names: 'CAIRN_MAX_BATCH_VALUES',
    })
    const one = `{"traces":[{"input":"a","output":"b","metadata":{"a":${list(200_001, '0')}}}]}`
    expectRefusal(await tenant.project.post(path, one), {
      status: 400,
      project: true,
      names: 'CAIRN_MAX_JSON_VALUES',
    })
  })

  it.each([
    ['nests too deeply', '['.repeat(1100) + ']'.repeat(1100), 'CAIRN_MAX_JSON_DEPTH'],
    ['nests much too deeply', '{"a":['.repeat(100_000) + ']}'.repeat(100_000), 'CAIRN_MAX_JSON_DEPTH'],
    ['has a wide object', fields(10_001), 'CAIRN_MAX_JSON_FIELDS'],
    ['has many values', list(200_001, '0'), 'CAIRN_MAX_JSON_VALUES'],
  ])('an item of a batch that %s gets an error, and the others are stored', async (_, value, setting) => {
    const path = `/v1/${tenant.projectId}/traces`
    const bad = `{"input":"bad","output":"b","metadata":{"a":${value}}}`
    const items = ['{"input":"first","output":"b"}', bad, '{"input":"last","output":"b"}', bad]
    const { body } = await tenant.project.ok('POST', `${path}/batch`, `{"traces":[${items.join(', ')}]}`)
    expect(body).toMatchObject({ created: 2, failed: 2 })
    for (const index of [1, 3]) {
      expect(body.results[index]).toEqual({ index, error: expect.stringContaining(setting) })
    }
    for (const [index, input] of [
      [0, 'first'],
      [2, 'last'],
    ] as const) {
      const address = `/v1/${tenant.projectId}/analytics/traces/${body.results[index].trace_id}`
      expect((await tenant.project.ok('GET', address)).body).toMatchObject({ input })
    }
    const alone = await tenant.project.post(`${path}/batch`, `{"traces":[${bad}]}`)
    expectRefusal(alone, { status: 400, project: true, names: 'traces[0]' })
    expect(alone.text).toContain(setting)
  })

  it('a large trace is returned unchanged', async () => {
    const trace = {
      input: 'é"\\😀\u0000\ud800'.repeat(200_000),
      output: 'x'.repeat(2_000_000),
      metadata: { list: Array.from({ length: 50_000 }, (_, i) => ({ [`key ${i % 7}`]: i / 3 })) },
    }
    const { body } = await tenant.project.ok('POST', `/v1/${tenant.projectId}/traces`, trace)
    const path = `/v1/${tenant.projectId}/analytics/traces/${body.trace_id}`
    expect((await tenant.project.ok('GET', path)).body).toMatchObject(trace)
  })

  it('a form with too many fields is rejected', async () => {
    const answer = await Api.admin(server.url).call('POST', '/v1/console/apps/register', {
      body: 'a=&'.repeat(1_000_000),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expectRefusal(answer, { status: 400, project: false, names: 'fields' })
  })

  it('other requests are answered while a body is parsed', async () => {
    const item = '{"a":[1,2,3],"b":"text","c":null}'
    // Rejected after parsing, so nothing is written.
    const bytes = Buffer.from(
      `{"unknown":{"a":${list(20_000, item)},"b":"${'x"'.repeat(10).replaceAll('"', '\\"')}","c":"${'\\n'.repeat(4_500_000)}"}}`,
    )
    const call = request(`${server.url}/v1/${tenant.projectId}/traces`, {
      method: 'POST',
      headers: {
        ...tenant.project.credential,
        'content-type': 'application/json',
        'content-length': String(bytes.length),
      },
    })
    const health = () => new Api(server.url).ok('GET', '/v1/health')
    // Everything except the end was sent.
    await new Promise((resolve) => call.write(bytes.subarray(0, -1), resolve))
    for (let i = 0; i < 10; i++) await health()
    let answered = 0
    let isDone = false
    const response = once(call, 'response').then(([answer]) => {
      isDone = true
      return answer as import('node:http').IncomingMessage
    })
    call.end(bytes.subarray(-1))
    while (!isDone) {
      await health()
      answered += 1
    }
    const { statusCode } = await response
    expect(statusCode).toBe(400)
    expect(answered).toBeGreaterThan(3)
  })

  it('bodies of one project leave room for others, and a body without room is rejected', async () => {
    const [one, other] = [await createTenant(server.url), await createTenant(server.url)]
    const agent = keepAliveAgent()
    const call = ({ projectId, projectKey }: Tenant) => ({
      path: `/v1/${projectId}/traces`,
      body: { input: 'x'.repeat(7_000_000), output: 'y' },
      headers: { authorization: `Bearer ${projectKey}` },
    })
    const held = [
      await HeldRequest.begin(server.url, call(one), agent),
      await HeldRequest.begin(server.url, call(one), agent),
    ]
    const post = (tenant: Tenant, size: number): Promise<Answer> =>
      tenant.project.post(`/v1/${tenant.projectId}/traces`, { input: 'x'.repeat(size), output: 'y' })
    const refused = await post(one, 1_500_000)
    expectRefusal(refused, { status: 503, project: true, names: 'CAIRN_MAX_BODY_BYTES_UNDER_WAY' })
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect((await post(one, 100_000)).status, 'small bodies are not counted').toBe(201)
    expect((await post(other, 9_000_000)).status).toBe(201)
    held[0]?.abandon()
    expect((await held[1]?.finish())?.status).toBe(201)
    let later = await post(one, 9_000_000)
    while (later.status === 503) later = await post(one, 9_000_000)
    expect(later.status).toBe(201)
    agent.destroy()
  })
})
