import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, createTenant, type Tenant } from '../support/api.ts'
import { readPaths } from '../support/api-description.ts'
import { databases } from '../support/databases.ts'
import { agent } from '../support/exchange.ts'
import { type Mutation, missingFields, textsWithNul, wrongTypes, wrongValues } from '../support/mutations.ts'
import { expectRefusal } from '../support/refusal.ts'
import type { Ids, Route } from '../support/route.ts'
import { addressOf, credentialOf, fillBody, fillPath, freshBody } from '../support/route-requests.ts'
import { isProjectRoute, jsonRoutes, routeName, routes } from '../support/routes.ts'
import { userRoutes } from '../support/routes-apps.ts'
import { adminToken, type Server, startServer } from '../support/server.ts'
import { createIds, freshIds, stateOf } from '../support/state.ts'
import { strangeIds } from '../support/strange-ids.ts'
import { wireCall } from '../support/wire.ts'

const named = (list: readonly Route[]) => list.map((route) => ({ name: routeName(route), route }))
const withParameters = routes.filter(({ path }) => path.includes('{'))
const bodyless = routes.filter(({ body, form, method }) => !body && !form && method !== 'GET')

const brokenJson = ['{', '{"input": "a"', '[1,', '{"a":1}}', "{'a':1}", 'undefined', 'NaN', '{"a":NaN}', '\0']
const wrongBodies = ['null', '[]', '"x"', '5', 'false']
const wrongContentTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/jsonx',
  'multipart/form-data; boundary=x',
  'application/json, text/plain',
  'nonsense',
  ';;;',
]

const noIds: Ids = {
  project_id: 'nope',
  chat_id: 'nope',
  trace_id: 'nope',
  key_id: 'nope',
  score_id: 'nope',
  answer_id: 'nope',
  session_id: 'nope',
  version_id: 'nope',
  suite_id: 'nope',
  case_id: 'nope',
  run_id: 'nope',
  price_id: 'nope',
  provider: 'nope',
  model: 'nope',
  budget_id: 'nope',
  webhook_id: 'nope',
  delivery_id: 'nope',
  file_id: 'nope',
  node_id: 'nope',
  other_node_id: 'nope',
  relationship_id: 'nope',
  slug: 'nope',
  app_id: 'nope',
  user_id: 'nope',
  scoring_id: 'nope',
  rule_id: 'nope',
}

/** The id whose owner's key a route requires. */
const owners: Partial<Record<Route['credential'], keyof Ids>> = {
  'project-key': 'project_id',
  'chat-key': 'chat_id',
}

/** Routes that check the existence of a resource before they read the body. */
const isInternal = ({ credential }: Route) => credential === 'admin-or-chat-key'

/** Required fields of the body, without fields of nested objects. */
function ownRequired({ required = [] }: Route): string[] {
  return required.filter((field) => !/[.[]/.test(field))
}

/** `spans[0].kind` → kind; `permissions[0]` → permissions */
function lastName(field: string): string {
  return field.split(/[.[\]]+/).findLast((part) => part && !/^\d+$/.test(part)) ?? field
}

describe.each(databases)('invalid input to every route, on $database', ({ database, env }) => {
  let server: Server
  let tenant: Tenant
  let ids: Ids

  beforeAll(async () => {
    server = await startServer({ env: await env() })
    tenant = await createTenant(server.url, ['ingest', 'read', 'write', 'query', 'admin'])
    ids = await createIds(tenant)
  })
  afterAll(async () => {
    await server?.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  /** The route with its valid body. */
  const filled = (route: Route): Route => (route.body ? { ...route, body: fillBody(route.body, ids) } : route)
  const credential = (route: Route) => credentialOf(route, tenant, adminToken)

  /** Sends the request with the route's credential. */
  function send(
    route: Route,
    options: { path?: string; body?: string | Buffer; type?: string },
  ): Promise<Answer> {
    const { path = addressOf(route, ids), body, type = 'application/json' } = options
    const headers = { ...credential(route), ...(body !== undefined && { 'content-type': type }) }
    return wireCall(server.url, route.method, path, { headers, agent, ...(body !== undefined && { body }) })
  }

  /** Tests that each route rejects a request. A last test checks that no request has changed anything. */
  function refusals(
    routes: ReturnType<typeof named>,
    title: string,
    refuse: (route: Route) => Promise<void>,
  ): void {
    describe(title, () => {
      let before: string
      beforeAll(async () => {
        before = await stateOf(server.url, tenant)
      })
      it.each(routes)(`$name ${title}`, ({ route }) => refuse(route))
      it('changes nothing', async () => {
        expect(await stateOf(server.url, tenant)).toBe(before)
      })
    })
  }

  async function refuseEach(route: Route, mutations: Mutation[]): Promise<void> {
    for (const { field, what, body } of mutations) {
      const answer = await send(route, { body: JSON.stringify(body) })
      const names = route.named?.[field] ?? lastName(field)
      const project = isProjectRoute(route)
      // Errors of OpenTelemetry have no `param`.
      const param = project === 'status' ? {} : { param: field }
      expectRefusal(answer, { status: 400, project, names, ...param }, what)
    }
  }

  it.each(named(jsonRoutes))('$name accepts the valid body that other tests change', async ({ route }) => {
    const answer = await send(route, { body: JSON.stringify(freshBody(route, ids)) })
    expect(answer.status, answer.text).toBe(route.status)
  })

  // PostgreSQL rejects NUL in text.
  it.each(named(jsonRoutes))(
    '$name accepts NUL in a text of the body, or rejects it with the name of the field',
    async ({ route }) => {
      for (const { field, what } of textsWithNul(route.body)) {
        const body = textsWithNul(freshBody(route, ids)).find((mutation) => mutation.field === field)?.body
        const answer = await send(route, { body: JSON.stringify(body) })
        expect([route.status, 400, 404], `${what}: ${answer.text}`).toContain(answer.status)
      }
    },
  )

  it('rejects NUL in the name of a filter', async () => {
    const { project, projectId } = tenant
    const inQuery = await project.get(`/v1/${projectId}/analytics/traces?attr.a%00b=1`)
    const rule = { name: 'nul', scorer: 'json-valid', filter: { 'attr.a\0b': 1 } }
    const inBody = await project.post(`/v1/${projectId}/scorers/rules`, rule)
    for (const answer of [inQuery, inBody]) {
      expectRefusal(answer, { status: 400, project: true, names: 'must not contain the character NUL' })
    }
  })

  refusals(named(jsonRoutes), 'names a field out of range', (route) =>
    refuseEach(route, wrongValues(filled(route))),
  )

  refusals(named(withParameters), 'rejects unknown ids with unusual characters', async (route) => {
    const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof Ids)
    for (const parameter of parameters) {
      for (const id of strangeIds.filter((name) => !route.newNames?.test(name))) {
        const path = fillPath(route.path, { ...ids, [parameter]: id })
        const body = route.body && JSON.stringify(filled(route).body)
        const answer = await send(route, { path, ...(body && { body }) })
        const status = id.includes('%') ? [400, 404] : 404
        expectRefusal(answer, { status }, `${parameter}=${id.slice(0, 40)}`)
      }
    }
  })

  it.each(named(bodyless.filter(isInternal)))(
    '$name needs no body, empty JSON is none, broken JSON is refused',
    async ({ route }) => {
      const own = await createTenant(server.url)
      const path = addressOf(route, await freshIds(own, route))
      expectRefusal(await send(route, { path: addressOf(route, noIds) }), { status: 404 })
      expectRefusal(await send(route, { path, body: '{' }), { status: 400, project: false })
      expectRefusal(await send(route, { path, body: 'x', type: 'text/plain' }), {
        status: 415,
        project: false,
      })
      expect((await send(route, { path, body: '' })).status).toBe(route.status)
      const next = route.clears ? await createTenant(server.url) : own
      const other = addressOf(route, await freshIds(next, route))
      expect((await send(route, { path: other, body: '{}' })).status).toBe(route.status)
    },
  )

  it.each(named(bodyless.filter((route) => !isInternal(route))))(
    '$name needs no body, empty JSON is none, broken JSON is refused',
    async ({ route }) => {
      const project = isProjectRoute(route)
      // An unknown project or chat is reported before the body is read.
      const owner = owners[route.credential]
      const path = addressOf(route, owner ? { ...noIds, [owner]: ids[owner] } : noIds)
      const isKnown = !route.path.replace(owner ? `{${owner}}` : '', '').includes('{')
      const status = isKnown ? route.status : 404
      for (const options of [{}, { body: '' }, { body: '{}' }]) {
        const answer = await send(route, { path, ...options })
        if (status === 404) expectRefusal(answer, { status, project })
        else expect(answer.status).toBe(status)
      }
      expectRefusal(await send(route, { path, body: '{' }), { status: 400, project })
      expectRefusal(await send(route, { path, body: 'x', type: 'text/plain' }), { status: 415, project })
    },
  )

  // The remaining requests are rejected before any database access except for the credential.
  if (database !== 'SQLite') return

  describe('according to the API description', () => {
    let paths: Awaited<ReturnType<typeof readPaths>>
    beforeAll(async () => {
      paths = await readPaths(server.url)
    })

    it('covers every route, and no other', () => {
      const described = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
      )
      expect(described.length).toBeGreaterThan(30)
      expect([...routes, ...userRoutes].map(routeName).toSorted()).toEqual(described.toSorted())
    })

    it.each(named(jsonRoutes))('tests every field that $name describes', ({ name, route }) => {
      const operation = paths[route.path]?.[route.method.toLowerCase()]
      const { schema } = operation.requestBody.content['application/json']
      expect(Object.keys(route.body ?? {}).toSorted(), name).toEqual(
        Object.keys(schema.properties).toSorted(),
      )
      expect(ownRequired(route).toSorted()).toEqual([...(schema.required ?? [])].toSorted())
    })
  })

  refusals(named(jsonRoutes), 'names a field of a wrong type', (route) =>
    refuseEach(route, wrongTypes(filled(route))),
  )

  refusals(named(jsonRoutes), 'names a required field that is missing or null', (route) =>
    refuseEach(route, missingFields(filled(route))),
  )

  refusals(named(jsonRoutes), 'rejects a body that is not a JSON object', async (route) => {
    for (const body of [...brokenJson, ...wrongBodies]) {
      expectRefusal(await send(route, { body }), { status: 400, project: isProjectRoute(route) }, body)
    }
  })

  it.each(named(jsonRoutes))('$name rejects JSON that is not UTF-8', async ({ route }) => {
    const body = Buffer.from(JSON.stringify({ ...filled(route).body, name: 'M\xfcller' }), 'latin1')
    expectRefusal(await send(route, { body }), {
      status: 400,
      project: isProjectRoute(route),
      names: 'UTF-8',
    })
  })

  refusals(named(jsonRoutes), 'rejects other content types with 415', async (route) => {
    for (const type of wrongContentTypes) {
      const answer = await send(route, { body: JSON.stringify(filled(route).body), type })
      expectRefusal(answer, { status: 415, project: isProjectRoute(route) }, type)
    }
  })

  it.each(named(jsonRoutes))('$name treats no body as an empty object', async ({ route }) => {
    const [first] = ownRequired(route)
    if (first === undefined) return
    for (const options of [{}, { body: '' }, { body: '', type: 'text/plain' }]) {
      const answer = await send(route, options)
      const names = `${first} is required`
      expectRefusal(answer, { status: 400, project: isProjectRoute(route), names }, JSON.stringify(options))
    }
  })

  it.each(named(routes.filter(({ method }) => method === 'GET')))(
    '$name ignores any body',
    async ({ route }) => {
      for (const body of ['', '{}', '{', 'x']) {
        expect((await send(route, { body })).status, body).toBe(route.status)
      }
    },
  )

  it.each(named(routes))('$name rejects other methods', async ({ route }) => {
    // A path such as `…/scorers/runs` also matches the route of a scorer.
    const known = routes
      .filter(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(route.path))
      .map(({ method }) => method as string)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE', 'QUERY']) {
      if (known.includes(method)) continue
      const headers = credential(route)
      const answer = await wireCall(server.url, method, fillPath(route.path, ids), { headers, agent })
      expectRefusal(answer, { status: method === 'QUERY' ? [400, 404] : 404 }, `${method} ${route.path}`)
    }
  })
})
