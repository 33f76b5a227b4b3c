import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { newSpanId, newTraceId, traceOf, tracesBody } from '../support/otlp.ts'
import { hasSharedData } from '../support/shared-data.ts'

const kinds = [
  { name: 'protobuf', Exporter: ProtobufExporter },
  { name: 'JSON', Exporter: JsonExporter },
] as const
const compressions = ['none', 'gzip'] as const
const ways = kinds.flatMap((kind) => compressions.map((compression) => ({ ...kind, compression })))

describe.each(sharedServers)('published exporters of OpenTelemetry, on $database', ({ server }) => {
  let tenant: Tenant

  beforeAll(async () => {
    tenant = await createTenant(server.url)
  })

  it.each(ways)('send a trace: $name, compression $compression', async ({ Exporter, compression }) => {
    const exporter = new Exporter({
      url: `${server.url}/v1/traces`,
      headers: { authorization: `Bearer ${tenant.projectKey}` },
      // The package accepts its enum only, whose values are these names.
      compression: compression as never,
    })
    const provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'shop' }),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    })
    const tracer = provider.getTracer('tests', '1.2.3')
    const root = tracer.startSpan('answer', { startTime: 1_700_000_000_000, kind: SpanKind.SERVER })
    const parent = trace.setSpanContext(ROOT_CONTEXT, root.spanContext())
    const child = tracer.startSpan('search', { startTime: 1_700_000_000_100 }, parent)
    child.setAttributes({ 'own.text': 'ünï', 'own.number': 7, 'own.ratio': 0.25, 'own.list': ['a', 'b'] })
    child.addEvent('found', { documents: 3 }, 1_700_000_000_150)
    child.setStatus({ code: SpanStatusCode.ERROR, message: 'no luck' })
    child.end(1_700_000_000_200)
    root.end(1_700_000_001_000)
    await provider.forceFlush()
    await provider.shutdown()
    const { traceId, spanId, traceFlags } = root.spanContext()
    expect(traceFlags).toBe(TraceFlags.SAMPLED)
    const stored = await traceOf(tenant, traceId, 2)
    expect(stored).toMatchObject({ trace_id: traceId, latency_ms: 1000, status: 'success' })
    const [first, second] = stored.spans
    expect(first).toMatchObject({ name: 'answer', span_id: spanId, start_ms: 1_700_000_000_000 })
    expect(second).toMatchObject({
      name: 'search',
      parent_id: spanId,
      start_ms: 1_700_000_000_100,
      end_ms: 1_700_000_000_200,
      attributes: {
        'own.text': 'ünï',
        'own.number': 7,
        'own.ratio': 0.25,
        'own.list': ['a', 'b'],
      },
    })
  })

  it('read a partial success and errors in protobuf', async () => {
    const headers = { authorization: `Bearer ${tenant.projectKey}`, 'content-type': 'application/x-protobuf' }
    const post = (body: Buffer, more = {}) =>
      fetch(`${server.url}/v1/traces`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: new Uint8Array(body),
      })
    const empty = await post(Buffer.alloc(0))
    expect([empty.status, empty.headers.get('content-type'), await empty.text()]).toEqual([
      200,
      'application/x-protobuf',
      '',
    ])
    // ResourceSpans { ScopeSpans { Span {} } }, whose span has no ids.
    const partial = await post(Buffer.from([0x0a, 0x04, 0x12, 0x02, 0x12, 0x00]))
    const bytes = Buffer.from(await partial.arrayBuffer())
    expect(partial.status).toBe(200)
    expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0x0a, bytes.length - 2, 0x08, 0x01]))
    expect(bytes.toString('latin1')).toContain('trace_id must have 16 bytes that are not all zero')
    for (const [body, more, status, code] of [
      [Buffer.from('{"a":'), {}, 400, 3],
      [Buffer.from([0x0a, 0xff]), {}, 400, 3],
      [Buffer.alloc(0), { authorization: 'Bearer tk_wrong' }, 401, 16],
      [Buffer.from('x'), { 'content-encoding': 'gzip' }, 400, 3],
      [Buffer.from('x'), { 'content-encoding': 'br' }, 415, 3],
    ] as const) {
      const answer = await post(body, more)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/x-protobuf'])
      expect([...Buffer.from(await answer.arrayBuffer()).subarray(0, 3)]).toEqual([0x08, code, 0x12])
    }
  })

  const recorded = ['openinference-openai', 'ai-sdk-7', 'langfuse-5']
  const folder = new URL('../../../shared/data/otlp/', import.meta.url)
  const isThere = hasSharedData('the recorded bodies of OpenTelemetry') && existsSync(folder)

  it.skipIf(!isThere).each(recorded)('have sent what is stored: %s', async (name) => {
    const own = await createTenant(server.url)
    const body = readFileSync(new URL(`${name}.json`, folder))
    const spans: { traceId: string; spanId: string }[] = JSON.parse(body.toString()).resourceSpans.flatMap(
      (group: { scopeSpans: { spans: { traceId: string; spanId: string }[] }[] }) =>
        group.scopeSpans.flatMap((scope) => scope.spans),
    )
    const basic = Buffer.from(`${own.projectId}:${own.projectKey}`).toString('base64')
    const answer = await fetch(`${server.url}/api/public/otel/v1/traces`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${basic}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: new Uint8Array(gzipSync(body)),
    })
    expect([answer.status, await answer.text()]).toEqual([200, '{}'])
    const byTrace = Map.groupBy(spans, ({ traceId }) => traceId)
    for (const [traceId, sent] of byTrace) {
      const stored = await traceOf(own, traceId, sent.length)
      const ids = stored.spans.map((span: { span_id: string }) => span.span_id)
      expect(ids.toSorted()).toEqual(sent.map(({ spanId }) => spanId).toSorted())
    }
    const { body: list } = await own.project.ok('GET', `/v1/${own.projectId}/analytics/traces`)
    expect(list).toHaveLength(byTrace.size)
  })

  it.each(['text/plain', 'application/x-protobuf2', 'application/grpc', undefined])(
    'a body of another content type gets 415: %s',
    async (type) => {
      const answer = await fetch(`${server.url}/v1/traces`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.projectKey}`,
          ...(type !== undefined && { 'content-type': type }),
        },
        body: new Uint8Array(
          Buffer.from(JSON.stringify(tracesBody([{ traceId: newTraceId(), spanId: newSpanId() }]))),
        ),
      })
      const { code } = (await answer.json()) as { code: number }
      expect([answer.status, code]).toEqual([415, 3])
    },
  )
})
