import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { Dice } from '../support/fuzz/dice.ts'
import { faultOf } from '../support/fuzz/fault.ts'
import { type Operation, readOperations } from '../support/fuzz/operations.ts'
import { type FuzzRequest, makeRequests } from '../support/fuzz/requests.ts'
import { send } from '../support/fuzz/send.ts'
import { createWorld, type World } from '../support/fuzz/world.ts'
import { type Server, startServer } from '../support/server.ts'

/** The same requests in each run, so that a failure is caused by a change. Other seeds look for other faults. */
const seed = Number(process.env.CAIRN_FUZZ_SEED ?? 747_107)
const all = Number(process.env.CAIRN_FUZZ_REQUESTS ?? 5000)
const shares = { SQLite: 0.7, PostgreSQL: 0.3 }
/** New tenants are created after this number of requests. */
const perWorld = 1000
const atOnce = 8

const limits = [
  'CAIRN_WRONG_KEYS_PER_MINUTE',
  'CAIRN_WRONG_ADMIN_TOKENS_PER_MINUTE',
  'CAIRN_QUERIES_PER_MINUTE',
  'CAIRN_UPLOADS_PER_MINUTE',
  'CAIRN_BULK_UPLOADS_PER_MINUTE',
]
const unlimited = Object.fromEntries(limits.map((name) => [name, '1000000']))

/** How often an operation was called, and how often with success. */
interface Count {
  calls: number
  successes: number
}

function describeRequest(index: number, { method, path, headers, body, manner }: FuzzRequest): string {
  const text = body?.toString('latin1').slice(0, 1500) ?? ''
  return `#${index} ${manner} ${method} ${path.slice(0, 400)} ${JSON.stringify(headers).slice(0, 400)} ${text}`
}

describe.each(databases)('random requests to every route, on $database', ({ database, env }) => {
  const total = Math.round(all * shares[database])
  let server: Server
  let operations: Operation[]
  let world: World
  const faults: string[] = []
  const counts = new Map<string, Count>()
  let ownWords = 0

  async function sendOne(index: number, request: FuzzRequest): Promise<void> {
    const { name } = request.operation
    const count = counts.get(name) ?? { calls: 0, successes: 0 }
    counts.set(name, count)
    count.calls++
    const shown = describeRequest(index, request)
    try {
      for (const answer of await send(server.url, request)) {
        if (answer.status < 300) count.successes++
        const { caller } = request
        if (typeof caller === 'object' && answer.text.includes(caller.marker)) ownWords++
        const fault = faultOf(request, answer, world)
        if (fault) faults.push(`${fault}\n  ${shown}\n  → ${answer.status} ${answer.text.slice(0, 300)}`)
      }
    } catch (error) {
      const { message } = error as Error
      if (!(request.isRacing && message === 'aborted')) faults.push(`${message}\n  ${shown}`)
    }
  }

  async function visit(index: number): Promise<void> {
    const operation = operations[index % operations.length] as Operation
    const dice = new Dice(seed * 1_000_003 + index)
    const choice = { dice, world, operation, isValid: index < operations.length }
    const requests = await makeRequests(choice, operations)
    await Promise.all(requests.map((request) => sendOne(index, request)))
  }

  beforeAll(async () => {
    server = await startServer({ env: { ...(await env()), ...unlimited } })
    operations = await readOperations(server.url)
    for (let from = 0; from < total; from += perWorld) {
      world = await createWorld(server.url)
      const end = Math.min(total, from + perWorld)
      let next = from
      const work = async () => {
        while (next < end) await visit(next++)
      }
      await Promise.all(Array.from({ length: atOnce }, work))
    }
    console.log(`${total} random requests on ${database}, CAIRN_FUZZ_SEED=${seed}`)
  }, 300_000)
  afterAll(() => server?.stop())

  it('reach every route, each with success', () => {
    const least = Math.floor(total / operations.length)
    const names = (isLow: (count: Count) => boolean) =>
      [...counts].filter(([, count]) => isLow(count)).map(([name]) => name)
    expect(counts.size).toBe(operations.length)
    expect(names(({ calls }) => calls < least)).toEqual([])
    expect(names(({ successes }) => successes === 0)).toEqual([])
  })

  it('return data of their callers', () => {
    expect(ownWords).toBeGreaterThan(total / 50)
  })

  it('never cause a 500, return no data of others, and are rejected as documented', () => {
    expect(faults, `CAIRN_FUZZ_SEED=${seed}\n${faults.join('\n')}`).toHaveLength(0)
  })

  it('leave the server running: the same process, ready, without an error in its log', async () => {
    for (const path of ['/v1/health', '/v1/ready']) {
      expect((await new Api(server.url).get(path)).status).toBe(200)
    }
    expect(server.output().match(/"msg":"listening"/g)).toHaveLength(1)
    expect(server.output().match(/.*"level":[56]0.*/g) ?? []).toEqual([])
  })
})
