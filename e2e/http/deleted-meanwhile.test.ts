import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { seededRandom } from '../support/random.ts'
import type { Ids, Route } from '../support/route.ts'
import { addressOf, credentialOf, freshBody } from '../support/route-requests.ts'
import { routeName, routes } from '../support/routes.ts'
import { adminToken, type Server, startServer } from '../support/server.ts'
import { createIds, freshIds } from '../support/state.ts'

const permissions = ['ingest', 'read', 'write', 'query', 'admin']
/** More rounds find rarer races. */
const rounds = Number(process.env.CAIRN_RACE_ROUNDS ?? 2)

const namesOf = ({ path, query, body }: Route) =>
  new Set([...JSON.stringify([path, query, body]).matchAll(/\{(\w+)\}/g)].map(([, name]) => name))

/** The kind of id that a route deletes: the last parameter of its path. */
const deletedOf = ({ path }: Route) => /\{(\w+)\}$/.exec(path)?.[1] ?? ''

const deletions = routes.filter(
  (route) =>
    deletedOf(route) !== '' && (route.method === 'DELETE' || route.path.startsWith('/cleanup_chat_data')),
)

/** Kinds of ids that are deleted with a resource. */
const within: Record<string, readonly string[]> = {
  project_id: ['chat_id', 'suite_id', 'webhook_id', 'budget_id', 'app_id', 'file_id', 'node_id'],
  chat_id: ['file_id', 'node_id', 'relationship_id', 'app_id'],
  file_id: ['node_id', 'relationship_id'],
  app_id: ['user_id'],
}

/** Routes to call during a deletion: all other routes with an id of the resource or of a part of it. */
function othersOf(deletion: Route): Route[] {
  const deleted = deletedOf(deletion)
  const named = [deleted, ...(within[deleted] ?? [])]
  return routes.filter(
    (route) => !deletions.includes(route) && named.some((name) => namesOf(route).has(name)),
  )
}

describe.each(databases)('resources that are deleted while they are used, on $database', ({ env }) => {
  let server: Server
  let tenant: Tenant
  let ids: Ids

  beforeAll(async () => {
    server = await startServer({ env: { ...(await env()), CAIRN_WRONG_KEYS_PER_MINUTE: '1000000' } })
    tenant = await createTenant(server.url, permissions)
    ids = await createIds(tenant)
  })
  afterAll(async () => {
    await server?.stop()
    const errors = server
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":50'))
    expect(errors).toEqual([])
  })

  async function call(route: Route, owner: Tenant, of: Ids): Promise<string> {
    const api = new Api(server.url, credentialOf(route, owner, adminToken))
    const body = freshBody(route, of)
    const calling = api.call(route.method, addressOf(route, of), body === undefined ? {} : { body })
    const answer = await calling.catch((error: Error) => {
      // A streamed response that began with 200 can only be cut off if its resource is deleted.
      if (error.message === 'aborted') return { status: 200, text: '' }
      throw error
    })
    return `${answer.status} ${routeName(route)} ${answer.status >= 500 ? answer.text : ''}`
  }

  it.each(deletions.map((route) => ({ name: routeName(route), route })))(
    'no request fails with a 5xx: $name',
    async ({ route }) => {
      const random = seededRandom(deletions.indexOf(route) + 1)
      for (let round = 0; round < rounds; round++) {
        const isWhole = ['project_id', 'chat_id', 'key_id'].includes(deletedOf(route))
        const owner = isWhole ? await createTenant(server.url, permissions) : tenant
        const of = isWhole ? await createIds(owner) : await freshIds(tenant, route, ids)
        const calls = othersOf(route)
          .flatMap((other) => (other.method === 'GET' ? [other] : [other, other]))
          .map((other) => ({ other, at: random() }))
        calls.push({ other: route, at: random() })
        const answers = await Promise.all(
          calls.toSorted((a, b) => a.at - b.at).map(({ other }) => call(other, owner, of)),
        )
        expect(answers.filter((answer) => /^5/.test(answer))).toEqual([])
        expect(answers).toContain(`${route.status} ${routeName(route)} `)
      }
    },
    120_000,
  )
})
