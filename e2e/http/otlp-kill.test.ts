import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { runCommand } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { newSpanId, newTraceId, type SentSpan, startMs, tracesBody, until } from '../support/otlp.ts'
import { exportTraces, sumFaults } from '../support/otlp-sums.ts'
import { seededRandom } from '../support/random.ts'
import { startServer } from '../support/server.ts'

const seed = Number(process.env.KILL_SEED ?? 99)
const rounds = { SQLite: 6, PostgreSQL: 3 }
const period = 'start_date=2024-01-02T03:00:00Z&end_date=2024-01-02T05:00:00Z'

describe.each(databases)('kill -9 while traces are put together, on $database', ({ database, env }) => {
  const random = seededRandom(seed)
  let dataDir: string
  let environment: Record<string, string>

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cairn-otlp-kill-'))
    // The job of a killed server is free again after its lease.
    environment = { ...(await env()), CAIRN_JOB_LEASE_SECONDS: '1' }
  })
  afterAll(() => rm(dataDir, { recursive: true, force: true }))

  it('loses no acknowledged span and counts none twice', { timeout: 180_000 }, async () => {
    const acknowledged = new Map<string, Set<string>>()
    let tenant: Tenant | undefined
    for (let round = 0; round < rounds[database]; round++) {
      const server = await startServer({ dataDir, env: environment })
      const { project, projectId } = tenant ?? (await createTenant(server.url))
      tenant = { ...(tenant ?? (await createTenant(server.url))), projectId, project: project }
      const api = Object.assign(Object.create(Object.getPrototypeOf(project)), project, { url: server.url })
      tenant = { ...tenant, project: api }
      let isOver = false
      const send = async () => {
        while (!isOver) {
          // Half of the spans belong to traces of earlier requests.
          const known = [...acknowledged.keys()]
          const traceId =
            random() < 0.5 && known.length > 0
              ? (known[Math.floor(random() * known.length)] ?? '')
              : newTraceId()
          const spans: SentSpan[] = Array.from({ length: 3 }, (_, index) => ({
            traceId,
            spanId: newSpanId(),
            startMs: startMs + index * 1000,
          }))
          const answer = await api.post('/v1/traces', tracesBody(spans)).catch(() => undefined)
          if (answer?.status !== 200) return
          const ids = acknowledged.get(traceId) ?? new Set()
          acknowledged.set(traceId, ids)
          for (const { spanId } of spans) ids.add(spanId)
        }
      }
      const senders = [send(), send(), send()]
      await new Promise((resolve) => setTimeout(resolve, 300 + 900 * random()))
      await server.kill()
      isOver = true
      await Promise.all(senders)
    }
    const server = await startServer({ dataDir, env: environment })
    const project = Object.assign(Object.create(Object.getPrototypeOf(tenant?.project)), tenant?.project, {
      url: server.url,
    })
    const missing = async () => {
      const stored = await exportTraces(project, tenant?.projectId ?? '')
      const byId = new Map(
        stored.map(({ trace_id, spans }) => [trace_id, new Set(spans.map((span) => span.span_id))]),
      )
      return [...acknowledged].flatMap(([traceId, ids]) =>
        [...ids].filter((id) => !byId.get(traceId)?.has(id)),
      )
    }
    await until(async () => (await missing()).length === 0, `KILL_SEED=${seed}: every acknowledged span`)
    expect(acknowledged.size).toBeGreaterThan(20)
    // Spans of an unanswered request may still be in no trace.
    await until(
      async () => (await sumFaults(project, tenant?.projectId ?? '', period)).length === 0,
      'sums of all traces',
    )
    expect(await server.stop()).toBe(0)
    const place = { dataDir, env: environment, remove: async () => {} }
    const { stdout } = await runCommand(place, ['doctor'])
    expect(stdout).toMatch(/no fault$/m)
  })
})
