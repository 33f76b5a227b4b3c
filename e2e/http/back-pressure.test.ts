import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { allPages } from '../support/known-traces.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'
import { socketTalk } from '../support/wire.ts'

/** Resident memory of a process, in bytes. */
function memoryOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

describe.each(databases)('a server with a full write queue, on $database', ({ env }) => {
  const overloads = [
    { limit: 'traces', settings: { CAIRN_MAX_QUEUED_TRACES: '6' }, size: 200 },
    { limit: 'bytes', settings: { CAIRN_MAX_QUEUED_BYTES: '400000' }, size: 60_000 },
  ]

  describe.each(overloads)('because of its limit of $limit', ({ settings, size }) => {
    let server: Server
    let tenant: Tenant
    let path: string

    beforeAll(async () => {
      server = await startServer({ env: { ...(await env()), ...settings, CAIRN_MAX_JSON_BYTES: '1000000' } })
      tenant = await createTenant(server.url)
      path = `/v1/${tenant.projectId}/traces`
    })
    afterAll(() => server?.stop())

    it('stores every acknowledged trace, rejects others with Retry-After, and recovers', async () => {
      const answers = new Map<string, Answer>()
      const output = 'x'.repeat(size)
      let number = 0
      const before = memoryOf(server.pid)
      let most = before
      const client = async () => {
        for (let i = 0; i < 8; i++) {
          const input = `trace ${number++}`
          const isBatch = number % 3 === 0
          const trace = { input, output }
          const answer = isBatch
            ? await tenant.project.post(`${path}/batch`, { traces: [trace, trace] })
            : await tenant.project.post(path, trace)
          answers.set(input, answer)
          most = Math.max(most, memoryOf(server.pid))
        }
      }
      await Promise.all(Array.from({ length: 64 }, client))

      const refused = [...answers].filter(([, { status }]) => status === 503)
      const stored = [...answers].filter(([, { status }]) => status === 201)
      expect(refused.length + stored.length).toBe(number)
      expect(refused.length, 'the server was overloaded').toBeGreaterThan(10)
      expect(stored.length).toBeGreaterThan(10)
      for (const [, answer] of refused) {
        expectRefusal(answer, { status: 503, project: true })
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      }

      const rows = await allPages(tenant, `/v1/${tenant.projectId}/analytics/traces?limit=200`)
      const ids = rows.map(({ trace_id }) => trace_id)
      const promised = stored.flatMap(([, { body }]) =>
        body.results ? body.results.map((each: { trace_id: string }) => each.trace_id) : [body.trace_id],
      )
      expect(ids.toSorted()).toEqual(promised.toSorted())
      const refusedInputs = new Set(refused.map(([input]) => input))
      expect(rows.filter(({ input }) => refusedInputs.has(input))).toEqual([])
      const { body } = await tenant.project.ok('GET', `/v1/${tenant.projectId}/analytics/metrics`)
      expect(body.total_queries).toBe(promised.length)
      // A generous limit: garbage of the runtime stays below it, an unbounded queue would exceed it.
      expect(most - before).toBeLessThan(300 * 1024 * 1024)

      for (let i = 0; i < 20; i++) {
        expect((await tenant.project.post(path, { input: 'later', output })).status).toBe(201)
      }
      expect(server.output()).not.toMatch(/"level":50/)
    })

    it('accepts a request that is larger than its queue if the queue is empty', async () => {
      const traces = Array.from({ length: 12 }, (_, i) => ({ input: `${i}`, output: 'x'.repeat(60_000) }))
      const { body } = await tenant.project.ok('POST', `${path}/batch`, { traces })
      expect(body).toMatchObject({ created: 12, failed: 0 })
    })

    it('sends a 413 that the client receives for a body over the limit, for every way of sending', async () => {
      const large = JSON.stringify({ input: 'x'.repeat(1_200_000), output: '' })
      for (let i = 0; i < 5; i++) {
        expectRefusal(await tenant.project.post(path, large), { status: 413, project: true })
      }
      const head = (more: string) =>
        `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.projectKey}\r\n` +
        `Content-Type: application/json\r\n${more}\r\n\r\n`
      const chunked = await socketTalk(server.url, (socket) => {
        socket.write(head('Transfer-Encoding: chunked'))
        for (let at = 0; at < large.length; at += 100_000) {
          const part = large.slice(at, at + 100_000)
          socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)
        }
        socket.write('0\r\n\r\n')
      })
      expectRefusal(chunked, { status: 413, project: true })
      const announced = await socketTalk(server.url, (socket) => {
        socket.write(head(`Content-Length: ${large.length}`))
        socket.write(large)
      })
      expectRefusal(announced, { status: 413, project: true })
    })
  })
})
