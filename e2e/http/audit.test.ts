import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import type { Route } from '../support/route.ts'
import { addressOf, credentialOf, freshBody } from '../support/route-requests.ts'
import { routeName, routes } from '../support/routes.ts'
import { adminToken, type Server, startServer } from '../support/server.ts'
import { createIds, freshIds } from '../support/state.ts'

const isoForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const path = '/v1/console/audit'
const noChange = ['GET', 'HEAD']
const changing = routes.filter(
  ({ credential, method }) => credential === 'admin' && !noChange.includes(method),
)
const others = routes.filter((route) => !changing.includes(route))

interface Entry {
  entry_id: string
  created_at: string
  action: string
  params: Record<string, string>
  project_id: string | null
  body: unknown
  remote_address: string
  status: number | null
}

/** The action of an entry for `POST /a/{id}`. */
const actionOf = (name: string) => name.replaceAll(/\{(\w+)\}/g, ':$1')

/** The body as an entry contains it. */
function loggedBody(route: Route, body: ReturnType<typeof freshBody>): unknown {
  if (body instanceof FormData) return Object.fromEntries(body)
  return body && 'hidden' in route ? { ...body, ...(route.hidden as object) } : (body ?? null)
}

describe.each(databases)('the audit log, on $database', ({ env: environment }) => {
  let env: Record<string, string>
  let server: Server
  let admin: Api
  let tenant: Tenant
  /** The newest entry before the test. */
  let last: string | undefined

  beforeAll(async () => {
    env = { ...(await environment()), CAIRN_WRONG_ADMIN_TOKENS_PER_MINUTE: '100000' }
    server = await startServer({ env })
    admin = Api.admin(server.url)
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url, ['ingest', 'read', 'write', 'query', 'admin'])
    last = (await entries())[0]?.entry_id
  })
  afterAll(() => server?.stop())

  const entries = async (query = ''): Promise<Entry[]> =>
    (await admin.ok('GET', `${path}?limit=1000${query}`)).body

  /** Entries since the test began, oldest first. */
  async function written(): Promise<Entry[]> {
    const all = await entries()
    return all
      .slice(
        0,
        all.findIndex(({ entry_id }) => entry_id === last),
      )
      .reverse()
  }

  /** Runs one statement directly in the database. */
  async function tamper(statement: string): Promise<void> {
    if (env.DATABASE_URL === undefined) {
      const db = new DatabaseSync(`${server.dataDir}/cairn.db`, { timeout: 5000 })
      db.exec(statement)
      db.close()
    } else {
      const client = new pg.Client({ connectionString: env.DATABASE_URL })
      await client.connect()
      await client.query(statement)
      await client.end()
    }
  }

  /** A new project, no project, or the tenant's project. */
  function projectOf({ ofServer }: Route, isNamed: boolean): unknown {
    if (ofServer) return null
    return isNamed ? tenant.projectId : expect.stringMatching(/^proj_/)
  }

  it.each(changing.map((route) => ({ name: routeName(route), route })))(
    'contains $name',
    async ({ name, route }) => {
      const ids = await freshIds(tenant, route)
      last = (await entries())[0]?.entry_id
      const body = freshBody(route, ids)
      await admin.ok(route.method, addressOf(route, ids), body)
      const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id as keyof typeof ids)
      const [entry, ...more] = await written()
      expect(more).toEqual([])
      expect(entry).toEqual({
        entry_id: expect.stringMatching(/^aud_[0-9a-z]{20}$/),
        created_at: expect.stringMatching(isoForm),
        action: actionOf(name),
        params: Object.fromEntries(names.map((id) => [id, ids[id]])),
        project_id: projectOf(route, names.length > 0),
        body: loggedBody(route, body),
        remote_address: '127.0.0.1',
        status: route.status,
      })
    },
  )

  it('contains no read requests and no requests with a key', async () => {
    const ids = await createIds(tenant)
    last = (await entries())[0]?.entry_id
    for (const route of others) {
      if (route.destroys) continue
      const body = freshBody(route, ids)
      const caller = new Api(server.url, credentialOf(route, tenant, adminToken))
      await caller.ok(route.method, addressOf(route, ids), body)
    }
    await admin.call('HEAD', '/v1/console/projects')
    expect(await written()).toEqual([])
  })

  it('contains no request with a rejected credential', async () => {
    const ids = await createIds(tenant)
    last = (await entries())[0]?.entry_id
    for (const route of changing) {
      const address = addressOf(route, ids)
      for (const headers of [{}, { 'x-admin-token': 'wrong' }, tenant.project.credential]) {
        const answer = await new Api(server.url, headers).call(route.method, address, { body: route.body })
        expectRefusal(answer, { status: 401 })
      }
    }
    expect(await written()).toEqual([])
  })

  it('contains failed requests with their status, also with an unreadable body', async () => {
    const projects = '/v1/console/projects'
    const tries: [string, string, unknown, number][] = [
      ['POST', projects, { name: '' }, 400],
      ['POST', projects, {}, 400],
      ['POST', projects, '{"name"', 400],
      ['DELETE', `${projects}/proj_00000000000000000000`, undefined, 404],
      ['DELETE', '/v1/console/keys/a%00b', undefined, 404],
      ['DELETE', `/v1/console/chats/${'%F0%9F%98%80'.repeat(500)}`, undefined, 404],
      ['PATCH', '/v1/console/chats/none', { title: 'x', other: [1, null, 'ü\0'] }, 404],
    ]
    for (const [method, address, body, status] of tries) {
      const answer = await admin.call(method, address, { body })
      expect(answer.status, `${method} ${address} ${answer.text}`).toBe(status)
    }
    const type = { 'content-type': 'text/plain' }
    expect((await admin.call('POST', projects, { body: 'x', headers: type })).status).toBe(415)
    const found = await written()
    expect(found.map(({ status }) => status)).toEqual([...tries.map(([, , , status]) => status), 415])
    expect(found.map(({ body }) => body)).toEqual([
      { name: '' },
      {},
      null,
      null,
      null,
      null,
      { title: 'x', other: [1, null, 'ü\0'] },
      null,
    ])
    expect(found.map(({ project_id }) => project_id)).toEqual([
      ...[null, null, null, 'proj_00000000000000000000'],
      ...[null, null, null, null],
    ])
    expect(found[4]?.params).toEqual({ key_id: 'a\0b' })
    expect(found[5]?.params.chat_id?.length).toBe(300)
  })

  it('contains no secret: no admin token, no keys, and no values of secret fields', async () => {
    const made = await admin.ok('POST', `/v1/console/projects/${tenant.projectId}/keys`, { name: 'a key' })
    const key: string = made.body.api_key
    const body = {
      name: `named ${adminToken} and ${key}`,
      secret: 'hidden-1',
      nested: [{ api_key: 'hidden-2', url: 'https://user:hidden-3@example.com/?token=hidden-4' }],
      [key]: 'kept',
    }
    await admin.ok('POST', '/v1/console/projects', body)
    await admin.call('DELETE', `/v1/console/keys/${key}`)
    await admin.call('DELETE', `/v1/console/chats/${adminToken}`)
    const found = await written()
    expect(found.map(({ status }) => status)).toEqual([201, 201, 404, 404])
    const text = JSON.stringify(await entries())
    const secrets = [tenant.projectKey, tenant.chatKey, key, adminToken]
    const tails = secrets.map((secret) => secret.slice(-20))
    for (const secret of [...tails, 'hidden', 'x-admin-token']) expect(text).not.toContain(secret)
    expect(found[1]?.body).toEqual({
      name: 'named [removed] and tk_[removed]',
      secret: '[removed]',
      nested: [{ api_key: '[removed]', url: 'https://[removed]@example.com/?token=[removed]' }],
      'tk_[removed]': 'kept',
    })
  })

  it('cuts long bodies', async () => {
    const settings = { custom_prompt: 'x'.repeat(100_000) }
    await admin.ok('PATCH', `/v1/console/chats/${tenant.chatId}`, { title: 'long', settings })
    const [entry] = await written()
    expect(entry?.body).toMatchObject({
      title: 'long',
      settings: { custom_prompt: expect.stringMatching(/^x{3000,4000}… \[cut\]$/) },
    })
  })

  it('is listed newest first, in pages, by project and by action', async () => {
    const other = await createTenant(server.url)
    for (let i = 0; i < 5; i++) {
      await admin.ok('PATCH', `/v1/console/projects/${tenant.projectId}`, { name: `p${i}` })
      await admin.ok('PATCH', `/v1/console/projects/${other.projectId}`, { name: `o${i}` })
      await admin.ok('POST', `/v1/console/chats/${tenant.chatId}/publish`)
    }
    const own = await entries(`&project_id=${tenant.projectId}`)
    // The creation of the tenant wrote four more entries.
    expect(own).toHaveLength(14)
    expect(new Set(own.map(({ project_id }) => project_id))).toEqual(new Set([tenant.projectId]))
    expect(own.at(-1)?.action).toBe('POST /v1/console/projects')
    const times = own.map(({ created_at }) => created_at)
    expect(times).toEqual(times.toSorted().toReversed())
    const action = 'PATCH /v1/console/projects/:project_id'
    const renamed = await entries(`&project_id=${tenant.projectId}&action=${encodeURIComponent(action)}`)
    const names = renamed.map(({ body }) => (body as { name: string }).name)
    expect(names).toEqual(['p4', 'p3', 'p2', 'p1', 'p0'])
    expect(await entries('&action=PATCH')).toEqual([])
    expect(await entries('&project_id=proj_none')).toEqual([])
    for (const limit of [1, 3, 13, 14, 15]) {
      const rows: Entry[] = []
      let next: string | undefined = `${path}?project_id=${tenant.projectId}&limit=${limit}`
      while (next !== undefined) {
        const answer = await admin.ok('GET', next)
        rows.push(...answer.body)
        next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
        expect(answer.headers.has('x-next-cursor')).toBe(next !== undefined)
      }
      expect(rows).toEqual(own)
    }
    for (const [query, names] of [
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['cursor=x', 'cursor'],
      ['project_id=%00', 'project_id'],
      ['action=a&action=b', 'action'],
    ]) {
      expectRefusal(await admin.get(`${path}?${query}`), { status: 400, project: false, names: names ?? '' })
    }
  })

  it('stays after the deletion of the resource', async () => {
    await admin.ok('DELETE', `/v1/console/projects/${tenant.projectId}`)
    const own = await entries(`&project_id=${tenant.projectId}`)
    expect(own[0]).toMatchObject({ action: 'DELETE /v1/console/projects/:project_id', status: 200 })
    expect(own).toHaveLength(5)
  })

  it('is written before the change; without an entry, the change is not made', async () => {
    const before = (await admin.ok('GET', '/v1/console/projects')).body
    await tamper('alter table audit_entries rename to elsewhere')
    try {
      for (const [method, address, body] of [
        ['POST', '/v1/console/projects', { name: 'unseen' }],
        ['DELETE', `/v1/console/projects/${tenant.projectId}`],
        ['PATCH', `/v1/console/projects/${tenant.projectId}`, { name: 'unseen' }],
      ] as const) {
        expectRefusal(await admin.call(method, address, { body }), { status: 500, project: false })
      }
      expect((await admin.ok('GET', '/v1/console/projects')).body).toEqual(before)
    } finally {
      await tamper('alter table elsewhere rename to audit_entries')
    }
    await admin.ok('PATCH', `/v1/console/projects/${tenant.projectId}`, { name: 'seen' })
    expect(await written()).toHaveLength(1)
  })
})

describe('the audit log of a server that was killed', () => {
  it('contains the interrupted change without an outcome', async () => {
    const { env: environment } = databases[1]
    const env = await environment()
    const server = await startServer({ env })
    const { projectId } = await createTenant(server.url)
    const locker = new pg.Client({ connectionString: env.DATABASE_URL })
    await locker.connect()
    await locker.query('begin')
    await locker.query('select 1 from projects where project_id = $1 for update', [projectId])
    const address = `/v1/console/projects/${projectId}`
    const lost = Api.admin(server.url)
      .call('DELETE', address)
      .catch(() => 'no answer')
    const underWay = async (url: string): Promise<Entry | undefined> =>
      (await Api.admin(url).ok('GET', `${path}?limit=1&project_id=${projectId}`)).body[0]
    for (let i = 0; (await underWay(server.url))?.action.startsWith('POST'); i++) {
      expect(i).toBeLessThan(100)
      await delay(20)
    }
    await server.kill()
    expect(await lost).toBe('no answer')
    await locker.query('rollback')
    await locker.end()
    const again = await startServer({ env })
    try {
      expect(await underWay(again.url)).toMatchObject({
        action: 'DELETE /v1/console/projects/:project_id',
        params: { project_id: projectId },
        status: null,
      })
    } finally {
      await again.stop()
    }
  })
})
