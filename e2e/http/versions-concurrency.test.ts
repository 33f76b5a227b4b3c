import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { type Server, startServer } from '../support/server.ts'

interface Row {
  version_id: string
  version: string
  is_active: boolean
  activated_at: string
}

const clients = 8
const turns = 18
const kinds = [
  ...databases.map(({ database, env }) => ({ database, env, processes: 1 })),
  { ...databases[1], processes: 2 },
]

describe.each(kinds)('concurrent changes of versions, on $database, server processes: $processes', (kind) => {
  const servers: Server[] = []
  let tenant: Tenant
  let path: string

  beforeAll(async () => {
    const env = await kind.env()
    for (let i = 0; i < kind.processes; i++) servers.push(await startServer({ env }))
    tenant = await createTenant(servers[0]?.url ?? '')
    path = `/v1/${tenant.projectId}/versions`
  })
  afterAll(() => Promise.all(servers.map((server) => server.stop())))

  const callerOf = (i: number) => new Api(servers[i % servers.length]?.url ?? '').withKey(tenant.projectKey)

  async function read(i: number, sub = ''): Promise<Row[]> {
    return (await callerOf(i).ok('GET', path + sub)).body
  }

  /** Publishes and rolls back in turn; returns the ids of the activated versions, unordered. */
  async function change(client: number): Promise<string[]> {
    const caller = callerOf(client)
    const own: string[] = []
    const activated: string[] = []
    for (let turn = 0; turn < turns; turn++) {
      const { version_id } =
        turn % 3 === 0
          ? (await caller.ok('POST', path, { version: `${client}.${turn}.0` })).body
          : (await caller.ok('POST', `${path}/${own[turn % own.length]}/rollback`)).body
      if (turn % 3 === 0) own.push(version_id)
      activated.push(version_id)
    }
    return activated
  }

  async function watch(client: number, isOver: () => boolean): Promise<number> {
    let seen = 0
    for (; !isOver(); seen++) {
      const active = (await read(client)).filter(({ is_active }) => is_active)
      expect(active).toHaveLength(1)
    }
    return seen
  }

  it('always have exactly one active version, and a correct history', async () => {
    await callerOf(0).ok('POST', path, { version: '0.0.1' })
    let over = false
    const changes = Promise.all(Array.from({ length: clients }, (_, i) => change(i))).finally(() => {
      over = true
    })
    const [activated, ...seen] = await Promise.all([changes, watch(0, () => over), watch(1, () => over)])
    for (const count of seen) expect(count).toBeGreaterThan(5)
    const total = activated.flat().length + 1
    expect(total).toBe(clients * turns + 1)

    for (let i = 0; i < kind.processes; i++) {
      const active = (await read(i)).filter(({ is_active }) => is_active)
      const [newest] = await read(i, '/history?limit=1')
      expect(active.map(({ version_id }) => version_id)).toEqual([newest?.version_id])
    }
    const rows: Row[] = []
    for (let next: string | undefined = `${path}/history?limit=1000`; next; ) {
      const answer = await callerOf(0).ok('GET', next)
      rows.push(...answer.body)
      next = /^<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(rows).toHaveLength(total)
    const byId = (ids: (string | undefined)[]) => ids.toSorted()
    expect(byId(rows.slice(0, -1).map(({ version_id }) => version_id))).toEqual(byId(activated.flat()))
    expect(new Set(rows.map(({ activated_at }) => activated_at)).size).toBe(total)
  })

  it('that are published twice at once are stored once, and the other requests get a conflict', async () => {
    for (let round = 0; round < 10; round++) {
      const body = { version: `100.0.${round}` }
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => callerOf(i).call('POST', path, { body })),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)])
      const winner = answers.find(({ status }) => status === 201)?.body.version_id
      const [newest] = await read(round, '/history?limit=1')
      expect(newest?.version_id).toBe(winner)
    }
  })

  it('are in the history in the order of their activation', async () => {
    for (let round = 0; round < 20; round++) {
      const pair = await Promise.all(
        [0, 1].map((i) => callerOf(i).ok('POST', path, { version: `200.${round}.${i}` })),
      )
      const [newest, before] = await read(round, '/history?limit=2')
      const active = (await read(round + 1)).find(({ is_active }) => is_active)
      expect(active?.version_id).toBe(newest?.version_id)
      const made = pair.map(({ body }) => body.version_id as string).toSorted()
      expect([newest?.version_id, before?.version_id].toSorted()).toEqual(made)
    }
  })
})
