import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { newSpanId, newTraceId, type SentSpan, startMs, tracesBody, until } from '../support/otlp.ts'
import { exportTraces, sumFaults } from '../support/otlp-sums.ts'
import { seededRandom } from '../support/random.ts'
import { type Server, startServer } from '../support/server.ts'

const seed = Number(process.env.CAIRN_OTLP_SEED ?? 4711)
const period = 'start_date=2024-01-02T03:00:00Z&end_date=2024-01-02T05:00:00Z'

/** Two processes share PostgreSQL; they receive halves of the same traces. */
const processes = { SQLite: 1, PostgreSQL: 2 }

/** The spans of a trace: a tree whose calls of models have tokens. */
function randomTrace(random: () => number): SentSpan[] {
  const traceId = newTraceId()
  const ids = Array.from({ length: 1 + Math.floor(random() * 8) }, newSpanId)
  const from = startMs + Math.floor(random() * 3_000_000)
  return ids.map((spanId, index) => {
    const parent = ids[Math.floor(random() * index)]
    const start = from + Math.floor(random() * 120_000) * (index === 0 ? 0 : 1)
    return {
      traceId,
      spanId,
      ...(index > 0 && parent !== undefined && { parentId: parent }),
      name: `step ${index}`,
      startMs: start,
      endMs: start + Math.floor(random() * 5000),
      ...(random() < 0.2 && { status: 2 }),
      attributes: {
        ...(random() < 0.6 && {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': random() < 0.5 ? 'gpt-4o' : 'acme-1',
          'gen_ai.usage.input_tokens': Math.floor(random() * 1000),
          'gen_ai.usage.output_tokens': Math.floor(random() * 100),
        }),
        ...(index === 0 && {
          'langfuse.version': `1.${Math.floor(random() * 3)}`,
          'langfuse.environment': 'test',
        }),
      },
    }
  })
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((value) => ({ value, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value)
}

describe.each(databases)('spans in any order, split and repeated, on $database', ({ database, env }) => {
  const random = seededRandom(seed)
  let servers: Server[]
  let tenant: Tenant

  beforeAll(async () => {
    const common = { ...(await env()), CAIRN_ENCRYPTION_KEY: '00'.repeat(32) }
    servers = []
    for (let at = 0; at < processes[database]; at++) servers.push(await startServer({ env: common }))
    tenant = await createTenant(servers[0]?.url ?? '', ['ingest', 'read', 'write'])
  })
  afterAll(async () => {
    for (const server of servers ?? []) await server.stop()
    for (const server of servers ?? []) expect(server.output()).not.toMatch(/"level":50/)
  })

  it('give exact traces, metrics and rollups', { timeout: 120_000 }, async () => {
    const traces = Array.from({ length: 60 }, () => randomTrace(random))
    const spans = traces.flat()
    const repeated = spans.filter(() => random() < 0.2)
    const queue = shuffled([...spans, ...repeated], random)
    const send = async (from: number) => {
      while (queue.length > 0) {
        const part = queue.splice(0, 1 + Math.floor(random() * 12))
        const url = servers[Math.floor(random() * servers.length)]?.url ?? ''
        const { body } = await new Api(url, tenant.project.credential).ok(
          'POST',
          '/v1/traces',
          tracesBody(part),
        )
        expect(body, `sender ${from}`).toEqual({})
      }
    }
    await Promise.all([0, 1, 2, 3].map(send))
    const sent = new Map(
      traces.map((each) => [each[0]?.traceId, each.map(({ spanId }) => spanId).toSorted()]),
    )
    const stored = await until(async () => {
      const found = await exportTraces(tenant.project, tenant.projectId)
      const count = found.reduce((sum, trace) => sum + trace.spans.length, 0)
      return count >= spans.length && found
    }, 'all spans')
    expect(
      new Map(
        stored.map(({ trace_id, spans: each }) => [trace_id, each.map(({ span_id }) => span_id).toSorted()]),
      ),
    ).toEqual(sent)
    for (const [root] of traces) {
      const found = stored.find(({ trace_id }) => trace_id === root?.traceId)
      expect(found).toMatchObject({
        latency_ms: (root?.endMs ?? 0) - (root?.startMs ?? 0),
        status: root?.status === 2 ? 'error' : 'success',
        created_at: new Date(root?.startMs ?? 0).toISOString(),
      })
    }
    expect(await sumFaults(tenant.project, tenant.projectId, period), `CAIRN_OTLP_SEED=${seed}`).toEqual([])
    // Deleted traces leave the sums, too.
    for (const { trace_id } of stored.slice(0, 20)) {
      await tenant.project.ok('DELETE', `/v1/${tenant.projectId}/traces/${trace_id}`)
    }
    expect(await exportTraces(tenant.project, tenant.projectId)).toHaveLength(40)
    expect(await sumFaults(tenant.project, tenant.projectId, period), `CAIRN_OTLP_SEED=${seed}`).toEqual([])
  })

  it('are exact if traces are deleted while spans arrive', { timeout: 120_000 }, async () => {
    const own = await createTenant(servers[0]?.url ?? '', ['ingest', 'read', 'write'])
    const traces = Array.from({ length: 20 }, () => randomTrace(random))
    const queue = shuffled(traces.flat(), random)
    const deleted = new Set<string>()
    const remove = async () => {
      while (queue.length > 0) {
        for (const { trace_id } of (await exportTraces(own.project, own.projectId)).slice(0, 2)) {
          await own.project.ok('DELETE', `/v1/${own.projectId}/traces/${trace_id}`)
          deleted.add(trace_id)
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    const send = async () => {
      while (queue.length > 0) {
        const url = servers[Math.floor(random() * servers.length)]?.url ?? ''
        await new Api(url, own.project.credential).ok('POST', '/v1/traces', tracesBody(queue.splice(0, 1)))
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
    await Promise.all([send(), send(), remove()])
    const last = randomTrace(random)
    await own.project.ok('POST', '/v1/traces', tracesBody(last))
    const kept = traces.filter(([span]) => !deleted.has(span?.traceId ?? ''))
    const expected = [...kept, last].reduce((sum, each) => sum + each.length, 0)
    const stored = await until(async () => {
      const found = await exportTraces(own.project, own.projectId)
      return found.reduce((sum, trace) => sum + trace.spans.length, 0) === expected && found
    }, `${expected} spans of the traces that were not deleted`)
    expect(deleted.size).toBeGreaterThan(0)
    expect(stored.filter(({ trace_id }) => deleted.has(trace_id))).toEqual([])
    expect(await sumFaults(own.project, own.projectId, period), `CAIRN_OTLP_SEED=${seed}`).toEqual([])
  })
})
