import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, Api, createTenant, type Tenant } from '../support/api.ts'
import { asUser, registerApp } from '../support/applications.ts'
import { createPlace, runCommand } from '../support/command.ts'
import { DatabaseLine } from '../support/database-line.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { someIssuer } from '../support/issuer.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'

const limits = { query: 7, keys: 50, wrongKeys: 4, wrongAdminTokens: 3 }

const header = (answer: Answer, name: string) => Number(answer.headers.get(`x-ratelimit-${name}`))
const question = new URLSearchParams({ messages: JSON.stringify([{ role: 'user', content: 'Why?' }]) })

describe.skipIf(!hasRedis)('two servers that share a Redis', () => {
  let redis: RedisServer
  let line: DatabaseLine
  let servers: Server[]
  let tenant: Tenant
  let appId: string
  let users = 0

  beforeAll(async () => {
    redis = await startRedis()
    line = await DatabaseLine.to(redis.url)
    const env = {
      DATABASE_URL: await createPostgresDatabase(),
      CAIRN_ENCRYPTION_KEY: '00'.repeat(32),
      REDIS_URL: line.url,
      CAIRN_TRUST_PROXY: '1',
      CAIRN_QUERIES_PER_MINUTE: String(limits.query),
      CAIRN_REQUESTS_PER_SECOND: String(limits.keys),
      CAIRN_WRONG_KEYS_PER_MINUTE: String(limits.wrongKeys),
      CAIRN_WRONG_ADMIN_TOKENS_PER_MINUTE: String(limits.wrongAdminTokens),
    }
    servers = [await startServer({ env })]
    servers.push(await startServer({ env }))
    tenant = await createTenant(at(0))
    appId = (await registerApp(at(0), (await someIssuer()).url, { chat_id: tenant.chatId })).app_id
  })
  afterAll(async () => {
    for (const server of servers ?? []) {
      await server.stop()
      expect(server.output()).not.toMatch(/"level":50|secret@/)
    }
    line?.close()
    await redis?.stop()
  })

  const at = (index: number) => servers[index % 2]?.url ?? ''

  /** The same new user, as a client of each of the two servers. */
  async function newUser(): Promise<[Api, Api]> {
    const token = await (await someIssuer()).token(`user-${users++}`)
    return [asUser(at(0), appId, token), asUser(at(1), appId, token)]
  }

  const ask = (api: Api) => api.call('POST', '/v1/me/chats/query', { body: question })

  it('count the requests of a user together exactly, and return the same end of the window', async () => {
    const user = await newUser()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(user[i % 2] as Api)))
    const [good, refused] = [200, 429].map((status) => answers.filter((answer) => answer.status === status))
    expect([good?.length, refused?.length]).toEqual([limits.query, 20 - limits.query])
    const left = (good ?? []).map((answer) => header(answer, 'remaining'))
    expect(left.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6])
    const resets = new Set(answers.map((answer) => header(answer, 'reset')))
    expect(resets.size).toBe(1)
    const [reset = 0] = resets
    expect(reset - Date.now() / 1000).toBeGreaterThan(30)
    expect(reset - Date.now() / 1000).toBeLessThanOrEqual(61)
    for (const answer of refused ?? []) {
      expectRefusal(answer, { status: 429, project: false, names: '7 of these requests per minute' })
      expect([header(answer, 'limit'), header(answer, 'remaining')]).toEqual([limits.query, 0])
      const wait = Number(answer.headers.get('retry-after'))
      expect(Math.abs(Date.now() / 1000 + wait - reset)).toBeLessThanOrEqual(2)
    }
    const [one] = await newUser()
    expect(header(await ask(one), 'remaining')).toBe(limits.query - 1)
    const list = await user[0].call('POST', '/v1/me/chats/files/upload')
    expect([list.status, header(list, 'remaining')]).toEqual([400, 29])
  })

  it('count the requests of a key together', async () => {
    const path = `/v1/${tenant.chatId}/info`
    const started = Date.now()
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => new Api(at(i)).withKey(tenant.chatKey).get(path)),
    )
    const good = answers.filter(({ status }) => status === 200).length
    expect(good).toBeGreaterThanOrEqual(limits.keys)
    expect(good).toBeLessThanOrEqual(limits.keys * (1 + (Date.now() - started) / 1000))
    expect(answers.filter(({ status }) => status === 429).length).toBe(300 - good)
  })

  it('count wrong keys and wrong admin tokens of an address together', async () => {
    const tries = async (headers: Record<string, string>, path: string, times: number) => {
      const statuses: number[] = []
      for (let i = 0; i < times; i++)
        statuses.push((await new Api(at(i)).call('GET', path, { headers })).status)
      return statuses
    }
    const from = { 'x-forwarded-for': '203.0.113.7' }
    const info = `/v1/${tenant.chatId}/info`
    const wrongKey = { ...from, authorization: `Bearer tk_${tenant.chatId}_wrong` }
    expect(await tries(wrongKey, info, 6)).toEqual([401, 401, 401, 401, 429, 429])
    const wrongToken = { ...from, 'x-admin-token': 'a wrong token' }
    const console = '/v1/console/projects'
    expect(await tries(wrongToken, console, 5)).toEqual([401, 401, 401, 429, 429])
    expect(await tries({ ...Api.admin('').credential, ...from }, console, 2)).toEqual([429, 429])
    expect(await tries(Api.admin('').credential, console, 2)).toEqual([200, 200])
  })

  it('report Redis in the health of each, and in cairn doctor', async () => {
    const place = await createPlace({ DATABASE_URL: await createPostgresDatabase(), REDIS_URL: redis.url })
    expect((await runCommand(place, ['migrate'])).code).toBe(0)
    const good = await runCommand(place, ['doctor'])
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('redis:  responds')])
    const wrong = redis.url.replace('secret', 'another')
    const bad = await runCommand(place, ['doctor'], { REDIS_URL: wrong })
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(/fault: {2}Redis \(REDIS_URL\) does not respond: WRONGPASS.*\n.*schema: all/)
    expect(bad.stdout + bad.stderr).not.toContain('another@')
    await place.remove()
  })

  describe('that is unreachable', () => {
    const wentAway = 'Redis does not answer'
    const cameBack = 'Redis answers again'
    const times = (index: number, text: string) => (servers[index]?.output() ?? '').split(text).length - 1
    const health = async (index: number) => {
      const { status, body } = await new Api(at(index)).get('/v1/health')
      return [status, body.status, body.services.redis]
    }
    const until = async (index: number, redis: string) => {
      while ((await health(index))[2] !== redis) await pause(20)
    }

    beforeEach(async () => {
      line.mend()
      await Promise.all([until(0, 'healthy'), until(1, 'healthy')])
    })

    it.each(['cut', 'freeze'] as const)(
      'after a connection fault of the kind %s count separately, log it once, and share again after recovery',
      async (how) => {
        const before = [0, 1].map((index) => [times(index, wentAway), times(index, cameBack)])
        line[how]()
        const user = await newUser()
        for (const index of [0, 1]) {
          for (let left = limits.query - 1; left >= 0; left--) {
            const answer = await ask(user[index] as Api)
            expect([answer.status, header(answer, 'remaining')]).toEqual([200, left])
          }
          expect((await ask(user[index] as Api)).status).toBe(429)
          expect(
            (await new Api(at(index)).withKey(tenant.chatKey).get(`/v1/${tenant.chatId}/info`)).status,
          ).toBe(200)
          expect(await health(index)).toEqual([200, 'healthy', 'unhealthy'])
        }
        // Frozen connections stay frozen; only new connections work.
        line.mend()
        await Promise.all([until(0, 'healthy'), until(1, 'healthy')])
        const [one, other] = await newUser()
        expect([header(await ask(one), 'remaining'), header(await ask(other), 'remaining')]).toEqual([6, 5])
        for (const index of [0, 1]) {
          const [away = 0, back = 0] = before[index] ?? []
          const outages = times(index, wentAway) - away
          expect(times(index, cameBack) - back).toBe(outages)
          // One message per outage, not per request. On a busy machine a slow response may cause a second message.
          expect([1, 2, 3]).toContain(outages)
        }
      },
    )

    it('start without it', async () => {
      const server = await startServer({ env: { REDIS_URL: 'redis://127.0.0.1:1' } })
      const { status, body } = await new Api(server.url).get('/v1/health')
      expect([status, body.services.redis]).toEqual([200, 'unhealthy'])
      await expect.poll(() => server.output()).toMatch(/"problem":"ECONNREFUSED".*Redis does not answer/)
      expect((await Api.admin(server.url).get('/v1/console/projects')).status).toBe(200)
      expect(await server.stop()).toBe(0)
    })
  })
})
