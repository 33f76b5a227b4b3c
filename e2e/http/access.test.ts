import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Api, createTenant, type Tenant } from '../support/api.ts'
import { readPaths } from '../support/api-description.ts'
import { databases } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import type { Ids, Route } from '../support/route.ts'
import { addressOf, credentialOf, fillBody, fillPath, freshBody } from '../support/route-requests.ts'
import { isProjectRoute, routeName, routes } from '../support/routes.ts'
import { userRoutes } from '../support/routes-apps.ts'
import { adminToken, type Server, startServer } from '../support/server.ts'
import { createIds, freshIds, stateOf } from '../support/state.ts'

type Headers = Record<string, string>

const permissions = ['ingest', 'read', 'write', 'query', 'admin'] as const
const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })
const named = (list: readonly Route[]) => list.map((route) => ({ name: routeName(route), route }))
const isChatRoute = (route: Route) =>
  route.credential === 'chat-key' || route.credential === 'admin-or-chat-key'
const guarded = routes.filter(({ credential }) => credential !== 'none')
const keyed = guarded.filter(({ credential }) => credential !== 'admin')
const withKeyOnly = keyed.filter(({ credential }) => credential !== 'admin-or-chat-key')
const withAdmin = guarded.filter(({ credential }) => credential.startsWith('admin'))
const unknownIds: Ids = {
  project_id: 'proj_00000000000000000000',
  chat_id: 'chat00000000000000000000',
  trace_id: 'trc_00000000000000000000',
  key_id: 'key_00000000000000000000',
  score_id: 'scr_00000000000000000000',
  answer_id: 'trc_00000000000000000000',
  session_id: 'no-session',
  version_id: 'ver_00000000000000000000',
  suite_id: 'ste_00000000000000000000',
  case_id: 'tsc_00000000000000000000',
  run_id: 'run_00000000000000000000',
  price_id: 'prc_00000000000000000000',
  // No name for a new provider, which has only small letters.
  provider: 'No-provider',
  model: 'no-model',
  budget_id: 'bud_00000000000000000000',
  webhook_id: 'whk_00000000000000000000',
  delivery_id: 'dlv_0000000000000000000000000000000000000000',
  file_id: 'no_file.txt_1700000000',
  node_id: 'chk_00000000000000000000',
  other_node_id: 'chk_00000000000000000001',
  relationship_id: 'rel_00000000000000000000',
  slug: 'no-scorer',
  app_id: 'app_v1_00000000000000000000',
  user_id: 'user_v1_0000000000000000',
  scoring_id: 'scg_00000000000000000000',
  rule_id: 'rul_00000000000000000000',
}
/** Whether an id in the path or the body determines the chat or project of the route. */
const namesOwner = (route: Route) => route.chat === 'body' || route.path.includes('{')
/** Ids of resources that belong to a project or a chat. */
const owned = [
  { id: 'trace_id', noun: 'trace' },
  { id: 'version_id', noun: 'version' },
  { id: 'score_id', noun: 'score' },
  { id: 'suite_id', noun: 'suite' },
  { id: 'case_id', noun: 'case' },
  { id: 'run_id', noun: 'run' },
  { id: 'file_id', noun: 'file' },
  { id: 'scoring_id', noun: 'scoring' },
  { id: 'rule_id', noun: 'rule' },
] as const

/** The ids of a body without its other fields. */
function onlyIds({ body = {} }: Route, at: Ids): object {
  const isId = ([, value]: [string, unknown]) => typeof value === 'string' && value.startsWith('{')
  return fillBody(Object.fromEntries(Object.entries(body).filter(isId)), at)
}

describe.each(databases)('the credentials of every route, on $database', ({ database, env }) => {
  /** Malformed keys and admin tokens are rejected without the database, so one database is enough for them. */
  const readsForms = database === 'SQLite'
  let server: Server
  let admin: Api
  let tenant: Tenant
  let other: Tenant
  let ids: Ids
  /** Keys of the tenant's project and of its chat, by their permissions. */
  let projectKeys: Record<string, string>
  let chatKeys: Record<string, string>
  let siblingKey: string

  async function createKeys(path: string): Promise<Record<string, string>> {
    const make = async (list: readonly string[]) =>
      (await admin.ok('POST', path, { permissions: list })).body.api_key as string
    const entries = permissions.map(
      async (permission): Promise<[string, string][]> => [
        [permission, await make([permission])],
        [`not ${permission}`, await make(permissions.filter((each) => each !== permission))],
      ],
    )
    const revoked = (await admin.ok('POST', path, {})).body
    await admin.ok('DELETE', `/v1/console/keys/${revoked.key_id}`)
    return Object.fromEntries([...(await Promise.all(entries)).flat(), ['revoked', revoked.api_key]])
  }

  beforeAll(async () => {
    server = await startServer({
      env: {
        ...(await env()),
        CAIRN_WRONG_ADMIN_TOKENS_PER_MINUTE: '100000',
        CAIRN_WRONG_KEYS_PER_MINUTE: '100000',
      },
    })
    admin = Api.admin(server.url)
    tenant = await createTenant(server.url)
    other = await createTenant(server.url)
    ids = await createIds(tenant)
    projectKeys = await createKeys(`/v1/console/projects/${ids.project_id}/keys`)
    chatKeys = await createKeys(`/v1/console/chats/${ids.chat_id}/keys`)
    const chats = `/v1/console/projects/${ids.project_id}/chats`
    const sibling = (await admin.ok('POST', chats, { title: 'a sibling', publish: true })).body.chat_id
    siblingKey = (await admin.ok('POST', `/v1/console/chats/${sibling}/keys`, {})).body.api_key
  })
  afterAll(() => server?.stop())

  const keyOf = (route: Route, kind: string) => (isChatRoute(route) ? chatKeys : projectKeys)[kind] ?? ''

  /** Sends the valid request of a route with these headers. */
  function send(route: Route, headers: Headers, at: Ids = ids): Promise<Answer> {
    const body = freshBody(route, at)
    const caller = new Api(server.url, headers)
    return caller.call(route.method, addressOf(route, at), body === undefined ? {} : { body })
  }

  async function refused(
    route: Route,
    headers: Headers,
    status: number,
    names?: string,
    at = ids,
  ): Promise<void> {
    const expected = { status, project: isProjectRoute(route), ...(names !== undefined && { names }) }
    expectRefusal(await send(route, headers, at), expected, `${routeName(route)} ${JSON.stringify(headers)}`)
  }

  it('covers every route of the API description', async () => {
    const paths = await readPaths(server.url)
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        schemes: security.flatMap(Object.keys),
      })),
    )
    const schemes = {
      none: [],
      admin: ['adminToken'],
      'admin-or-chat-key': ['adminToken', 'apiKey'],
    } as const
    const exporters = ['apiKey', 'apiKeyHeader', 'projectAndKey']
    const keys = (route: Route) => (route.isOfKey ? exporters : ['apiKey'])
    const expected = routes.map((route) => ({
      name: routeName(route),
      schemes: schemes[route.credential as keyof typeof schemes] ?? keys(route),
    }))
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
    const users = userRoutes.map((route) => ({ name: routeName(route), schemes: ['idToken', 'appId'] }))
    expect([...expected, ...users].toSorted(byName)).toEqual(described.toSorted(byName))
  })

  describe('a wrong credential', () => {
    let before: string

    beforeAll(async () => {
      before = await stateOf(server.url, tenant)
    })
    afterAll(async () => {
      expect(await stateOf(server.url, tenant)).toBe(before)
    })

    it.each(named(guarded))('$name rejects a request without a valid credential', async ({ route }) => {
      const key = isChatRoute(route) ? tenant.chatKey : tenant.projectKey
      await refused(route, {}, 401, 'missing')
      const wrong = [
        `${key}x`,
        key.slice(0, -1),
        key.toUpperCase(),
        `tk_${ids.chat_id}_`,
        'tk_x_y',
        adminToken,
        'ü',
      ]
      const bearers = wrong.map((text) => Buffer.from(`Bearer ${text}`).toString('latin1'))
      const unreadable = [key, 'Bearer', 'Bearer ', `Basic ${key}`, `Token ${key}`, `Bearer ${key} ${key}`]
      for (const text of readsForms ? [...unreadable, ...bearers] : bearers.slice(0, 1)) {
        await refused(route, { authorization: text }, 401)
      }
      await refused(route, bearer(keyOf(route, 'revoked')), 401)
    })

    it.each(named(readsForms ? withAdmin : []))(
      '$name rejects a wrong admin token, also together with a valid key',
      async ({ route }) => {
        for (const token of ['', 'x', `${adminToken}x`, adminToken.slice(1), `Bearer ${adminToken}`]) {
          await refused(route, { 'x-admin-token': token }, 401)
          await refused(route, { 'x-admin-token': token, ...bearer(chatKeys.admin ?? '') }, 401)
        }
        await refused(route, { 'x-admin-token': 'x' }, 401, undefined, unknownIds)
      },
    )

    const withAdminOnly = guarded.filter(({ credential }) => credential === 'admin')
    it.each(named(readsForms ? withAdminOnly : []))(
      '$name accepts no key instead of the admin token',
      async ({ route }) => {
        const keys = [tenant.projectKey, tenant.chatKey, other.projectKey, other.chatKey]
        for (const { ingest = '', admin = '' } of [projectKeys, chatKeys]) keys.push(ingest, admin)
        for (const key of keys) await refused(route, bearer(key), 401, 'X-Admin-Token')
      },
    )

    it.each(named(keyed.filter(({ chat }) => chat === 'none')))(
      '$name accepts only keys of chats',
      async ({ route }) => {
        for (const key of [
          tenant.projectKey,
          other.projectKey,
          projectKeys.ingest ?? '',
          projectKeys.admin ?? '',
        ])
          await refused(route, bearer(key), 403, 'does not belong')
      },
    )

    it.each(named(keyed.filter(({ clears }) => clears)))(
      '$name rejects keys without its permission',
      async ({ route }) => {
        const needed = route.permission ?? 'none'
        for (const kind of [`not ${needed}`, ...permissions.filter((each) => each !== needed)])
          await refused(route, bearer(keyOf(route, kind)), 403, needed)
      },
    )

    it.each(named(readsForms ? withKeyOnly : []))(
      '$name does not accept the admin token instead of a key',
      async ({ route }) => {
        await refused(route, { 'x-admin-token': adminToken }, 401, 'missing')
        await refused(route, bearer(adminToken), 401)
      },
    )

    it.each(named(keyed.filter(namesOwner)))(
      '$name rejects keys of other owners with 403',
      async ({ route }) => {
        const strangers = isChatRoute(route)
          ? [other.chatKey, siblingKey, tenant.projectKey, other.projectKey]
          : [other.projectKey, tenant.chatKey, siblingKey, other.chatKey]
        for (const key of strangers) await refused(route, bearer(key), 403, 'does not belong')
      },
    )
  })

  it.each(named(keyed.filter(({ clears }) => !clears)))(
    '$name needs exactly its permission',
    async ({ route }) => {
      const needed = route.permission ?? 'none'
      await refused(route, bearer(keyOf(route, `not ${needed}`)), 403, needed)
      for (const permission of permissions) {
        const at = route.destroys ? await freshIds(tenant, route, ids) : ids
        const answer = await send(route, bearer(keyOf(route, permission)), at)
        expect(answer.status, `${permission}: ${answer.text}`).toBe(
          permission === needed ? route.status : 403,
        )
      }
    },
  )

  it.each(named(guarded.filter(namesOwner)))(
    '$name checks in this order: 401, 404, 403, 400',
    async ({ route }) => {
      const stranger = bearer(isChatRoute(route) ? other.chatKey : other.projectKey)
      const own = credentialOf(route, tenant, adminToken)
      await refused(route, bearer('tk_unknown_key'), 401, undefined, unknownIds)
      await refused(route, own, 404, 'not found', unknownIds)
      if (route.credential === 'admin') return
      await refused(route, stranger, 404, 'not found', unknownIds)
      await refused(route, bearer(keyOf(route, `not ${route.permission}`)), 404, undefined, unknownIds)
      if (route.method === 'GET') return
      const broken = (headers: Headers, at = ids) => {
        const body = route.chat === 'body' ? onlyIds(route, at) : '{'
        return new Api(server.url, headers).call(route.method, fillPath(route.path, at), { body })
      }
      expectRefusal(await broken(bearer('tk_unknown_key')), { status: 401 })
      expectRefusal(await broken(stranger, unknownIds), { status: 404 })
      expectRefusal(await broken(stranger), { status: 403 })
      expectRefusal(await broken(bearer(keyOf(route, `not ${route.permission}`))), { status: 403 })
    },
  )

  describe.each(owned)('a $noun of another owner', ({ id, noun }) => {
    const showing = keyed.filter(
      ({ path, query = '', credential }) =>
        credential !== 'admin-or-chat-key' && `${path}?${query}`.includes(`{${id}}`),
    )

    let theirs: Ids
    let before: string

    beforeAll(async () => {
      theirs = await createIds(other)
      before = await stateOf(server.url, other)
    })
    afterAll(async () => {
      expect(await stateOf(server.url, other)).toBe(before)
    })

    it.each(named(showing))('is unknown to $name', async ({ route }) => {
      const names = `${noun} not found`
      for (const value of [theirs[id], 'none', unknownIds[id]]) {
        const key = isChatRoute(route) ? tenant.chatKey : tenant.projectKey
        await refused(route, bearer(key), 404, names, { ...ids, [id]: value })
      }
    })
  })

  const ofChats = keyed.filter((route) => isChatRoute(route) && !route.clears)

  it.each(named(ofChats))('$name rejects keys while API access is disabled', async ({ route }) => {
    const path = `/v1/console/chats/${ids.chat_id}`
    const at = route.destroys ? await freshIds(tenant, route, ids) : ids
    const another = route.destroys ? await freshIds(tenant, route, ids) : ids
    await admin.ok('PATCH', path, { api_access_enabled: false })
    try {
      await refused(route, bearer(keyOf(route, route.permission ?? '')), 403, 'API access')
      await refused(route, bearer(keyOf(route, `not ${route.permission}`)), 403, route.permission)
      if (namesOwner(route)) await refused(route, bearer(other.chatKey), 403, 'does not belong')
      await admin.ok('POST', `${path}/unpublish`)
      await refused(route, bearer(keyOf(route, route.permission ?? '')), 403, 'API access')
      if (route.credential === 'admin-or-chat-key') {
        expect((await send(route, { 'x-admin-token': adminToken }, another)).status).toBe(route.status)
      }
    } finally {
      await admin.ok('POST', `${path}/publish`)
      await admin.ok('PATCH', path, { api_access_enabled: true })
    }
    expect((await send(route, bearer(keyOf(route, route.permission ?? '')), at)).status).toBe(route.status)
  })

  it.each(named(ofChats))(
    '$name on an unpublished chat: only questions and searches are rejected',
    async ({ route }) => {
      const path = `/v1/console/chats/${ids.chat_id}`
      const at = route.destroys ? await freshIds(tenant, route, ids) : ids
      await admin.ok('POST', `${path}/unpublish`)
      try {
        const answer = await send(route, bearer(keyOf(route, route.permission ?? '')), at)
        if (route.needsPublished) {
          expectRefusal(answer, { status: 400, project: false, names: 'no published settings' })
          await refused(route, bearer(keyOf(route, `not ${route.permission}`)), 403, route.permission)
        } else expect(answer.status).toBe(route.status)
      } finally {
        await admin.ok('POST', `${path}/publish`)
      }
    },
  )

  describe('a key with every permission', () => {
    let able: Tenant
    let ableIds: Ids

    beforeAll(async () => {
      able = await createTenant(server.url, [...permissions])
      ableIds = await createIds(able)
    })

    it.each(named(routes))('$name accepts its credential', async ({ route }) => {
      const own = route.destroys ? await createTenant(server.url, [...permissions]) : able
      const credential = credentialOf(route, own, adminToken)
      const answer = await send(route, credential, route.destroys ? await freshIds(own, route, ids) : ableIds)
      expect(answer.status, answer.text).toBe(route.status)
      if (route.destroys) {
        const project = isProjectRoute(route)
        const nowhere = project ? { ...unknownIds, project_id: own.projectId } : unknownIds
        expectRefusal(await send(route, credential, nowhere), { status: 404, project })
      }
    })
  })
})
