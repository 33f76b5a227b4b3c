import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { databases, oneDatabase } from '../support/databases.ts'
import { newSpanId, newTraceId, type SentSpan, traceOf, tracesBody, until } from '../support/otlp.ts'
import { type Server, startServer } from '../support/server.ts'

const types = { json: 'application/json', protobuf: 'application/x-protobuf' }

describe.each(oneDatabase)('the limits of requests of OpenTelemetry, on $database', ({ env }) => {
  let server: Server
  let tenant: Tenant

  beforeAll(async () => {
    server = await startServer({ env: { ...(await env()), CAIRN_MAX_BATCH_VALUES: '300000' } })
    tenant = await createTenant(server.url)
  })
  afterAll(async () => {
    await server?.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  const post = (body: Buffer, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/v1/traces`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tenant.projectKey}`,
        'content-type': types.json,
        ...headers,
      },
      body: new Uint8Array(body),
    })

  /** The most memory that the server has used, in bytes. */
  function peakMemory(): number {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  }

  it.skipIf(process.platform !== 'linux')('a gzip bomb gets 413 and costs no memory', async () => {
    await post(gzipSync(Buffer.alloc(1024)))
    const before = peakMemory()
    // 400 MB each.
    const bomb = gzipSync(Buffer.alloc(400 * 1024 ** 2, ' '))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        post(bomb, {
          'content-encoding': 'gzip',
          'content-type': index % 2 === 0 ? types.json : types.protobuf,
        }),
      ),
    )
    for (const { status } of answers) expect([413, 503]).toContain(status)
    expect(answers.map(({ status }) => status)).toContain(413)
    expect(peakMemory() - before).toBeLessThan(300 * 1024 ** 2)
    expect((await post(Buffer.from('{}'))).status).toBe(200)
  })

  it('a body over the limit gets 413, also if only its unpacked bytes are', async () => {
    const large = Buffer.from(JSON.stringify({ unknown: 'x'.repeat(11 * 1024 ** 2) }))
    for (const [body, headers] of [
      [large, {}],
      [gzipSync(large), { 'content-encoding': 'gzip' }],
    ] as const) {
      const answer = await post(body, headers)
      expect([answer.status, await answer.json()]).toEqual([
        413,
        { code: 3, message: expect.stringContaining('too large') },
      ])
    }
  })

  it('JSON with too many values gets 400 with the name of the setting', async () => {
    const answer = await post(Buffer.from(`{"resourceSpans":[${Array(300_001).fill('{}').join(',')}]}`))
    expect(await answer.json()).toEqual({
      code: 3,
      message: expect.stringContaining('CAIRN_MAX_BATCH_VALUES'),
    })
  })

  it.each([
    ['millions of empty attributes', Buffer.alloc(8_000_000, Buffer.from([0x4a, 0x00]))],
    ['attributes that nest too deeply', nested(120)],
  ])('a span in protobuf with %s is rejected alone', async (_, span) => {
    const answer = await post(message(0x0a, message(0x12, message(0x12, span))), {
      'content-type': types.protobuf,
    })
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1')).toMatch(
      /at most \d+ (?:values|levels)/,
    )
  })

  it('protobuf that nests without end gets 400', async () => {
    const answer = await post(message(0x0a, message(0x12, message(0x12, nested(2_000)))), {
      'content-type': types.protobuf,
    })
    expect(answer.status).toBe(400)
    expect((await post(Buffer.from('{}'))).status).toBe(200)
  })
})

describe.each(oneDatabase)('too many requests of OpenTelemetry, on $database', ({ env }) => {
  it('get 429 as google.rpc.Status with Retry-After', async () => {
    const server = await startServer({ env: { ...(await env()), CAIRN_REQUESTS_PER_SECOND: '1' } })
    try {
      const { project } = await createTenant(server.url)
      const answers = await Promise.all([1, 2, 3].map(() => project.post('/v1/traces', {})))
      const refused = answers.filter(({ status }) => status !== 200)
      expect(refused.length).toBeGreaterThan(0)
      for (const { status, headers, body } of refused) {
        expect([status, headers.get('retry-after'), body.code]).toEqual([429, '1', 8])
      }
    } finally {
      await server.stop()
    }
  })
})

/** A field with a length. */
function message(tag: number, body: Buffer): Buffer {
  const length: number[] = []
  for (let left = body.length; ; left >>>= 7) {
    if (left < 0x80) {
      length.push(left)
      break
    }
    length.push((left & 0x7f) | 0x80)
  }
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

/** A span with one attribute of lists in one another. */
function nested(depth: number): Buffer {
  let value: Buffer = Buffer.alloc(0)
  for (let at = 0; at < depth; at++) value = message(0x2a, message(0x0a, value))
  return message(0x4a, message(0x12, value))
}

describe.each(databases)('the limit of spans of a trace, on $database', ({ env }) => {
  let server: Server
  let tenant: Tenant

  beforeAll(async () => {
    server = await startServer({ env: await env() })
    tenant = await createTenant(server.url)
  })
  afterAll(async () => {
    await server?.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  /** Sends spans again after a 503, like exporters. Returns the number of rejected spans. */
  async function send(spans: SentSpan[]): Promise<number> {
    const body = tracesBody(spans)
    const answer = await until(async () => {
      const given = await tenant.project.post('/v1/traces', body)
      return given.status !== 503 && given
    }, 'an answer')
    expect(answer.status).toBe(200)
    return Number(answer.body.partialSuccess?.rejectedSpans ?? 0)
  }

  it('is 20,000: the rest is rejected, also in several requests and with repeated spans', {
    timeout: 90_000,
  }, async () => {
    const traceId = newTraceId()
    const spans = Array.from({ length: 20_003 }, () => ({ traceId, spanId: newSpanId() }))
    const rejected: number[] = []
    for (let from = 0; from < spans.length; from += 4000) {
      rejected.push(await send(spans.slice(from, from + 4000)))
      // A repeated request adds no spans.
      if (from === 0) await send(spans.slice(0, 4000))
    }
    expect(rejected).toEqual([0, 0, 0, 0, 0, 3])
    const path = `/v1/${tenant.projectId}/analytics/traces/${traceId}`
    const look = async () => {
      const { status, body } = await tenant.project.get(path)
      return status === 200 && body.spans.length === 20_000 && body
    }
    const stored = await until(look, 'all spans', 500)
    expect(new Set(stored.spans.map((span: { span_id: string }) => span.span_id)).size).toBe(20_000)
    const other = newTraceId()
    await tenant.project.ok('POST', '/v1/traces', tracesBody([{ traceId: other, spanId: newSpanId() }]))
    await traceOf(tenant, other)
  })
})
