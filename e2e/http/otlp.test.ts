import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Api, createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { newSpanId, newTraceId, type SentSpan, startMs, traceOf, tracesBody, until } from '../support/otlp.ts'
import { expectRefusal } from '../support/refusal.ts'

/** Contains the times of all spans. */
const period = 'start_date=2024-01-02T03:00:00Z&end_date=2024-01-02T04:00:00Z'

describe.each(sharedServers)('spans by OTLP, on $database', ({ server }) => {
  let tenant: Tenant
  let base: string

  beforeAll(async () => {
    tenant = await createTenant(server.url, ['ingest', 'read', 'write', 'admin'])
    base = `/v1/${tenant.projectId}`
  })

  /** Sends spans; they must all be accepted. */
  async function send(spans: readonly SentSpan[], to: Tenant = tenant): Promise<void> {
    const answer = await to.project.post('/v1/traces', tracesBody(spans))
    expect([answer.status, answer.text]).toEqual([200, '{}'])
  }

  const metrics = async (of: Tenant) =>
    (await of.project.ok('GET', `/v1/${of.projectId}/analytics/metrics?${period}`)).body

  it('become a trace with their id, which is in the list', async () => {
    const traceId = newTraceId()
    const root = { traceId, spanId: newSpanId(), name: 'answer', startMs, endMs: startMs + 1500 }
    const child = { traceId, spanId: newSpanId(), parentId: root.spanId, name: 'search' }
    await send([child, root])
    const trace = await traceOf(tenant, traceId, 2)
    expect(trace).toMatchObject({
      trace_id: traceId,
      latency_ms: 1500,
      status: 'success',
      created_at: new Date(startMs).toISOString(),
    })
    const { body: list } = await tenant.project.get(`${base}/analytics/traces`)
    expect(list.map(({ trace_id }: { trace_id: string }) => trace_id)).toContain(traceId)
  })

  it('make traces that are listed in pages, in every order', async () => {
    const own = await createTenant(server.url)
    const ids = Array.from({ length: 3 }, newTraceId)
    for (const [at, traceId] of ids.entries()) {
      const from = startMs + at * 1000
      await send([{ traceId, spanId: newSpanId(), startMs: from, endMs: from + 10 + at }], own)
      await traceOf(own, traceId)
    }
    for (const order of ['order=asc', 'sort_by=latency&order=asc']) {
      const listed: string[] = []
      let next: string | undefined = `/v1/${own.projectId}/analytics/traces?limit=1&${order}`
      while (next !== undefined) {
        const page: Answer = await own.project.ok('GET', next)
        listed.push(...page.body.map(({ trace_id }: { trace_id: string }) => trace_id))
        next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
      }
      expect(listed, order).toEqual(ids)
    }
  })

  it('correct a trace when they come later, also its place in the list and the metrics', async () => {
    const own = await createTenant(server.url)
    const traceId = newTraceId()
    const root = newSpanId()
    const later = { traceId, spanId: newSpanId(), parentId: root, startMs: startMs + 60_000 }
    await send([later], own)
    expect(await traceOf(own, traceId, 1)).toMatchObject({ latency_ms: 100, status: 'success' })
    expect(await metrics(own)).toMatchObject({ total_queries: 1, failed: 0, avg_response_time_ms: 100 })
    await send([{ traceId, spanId: root, endMs: startMs + 90_000, status: 2 }], own)
    const trace = await traceOf(own, traceId, 2)
    expect(trace).toMatchObject({ latency_ms: 90_000, status: 'error' })
    expect(trace.created_at).toBe(new Date(startMs).toISOString())
    expect(await metrics(own)).toMatchObject({ total_queries: 1, failed: 1, avg_response_time_ms: 90_000 })
    const minutes = `/v1/${own.projectId}/analytics/timeseries?interval=minute&${period}`
    const { body } = await own.project.ok('GET', minutes)
    const counted = body.series.flatMap(({ points }: { points: { value: number }[] }) => points)
    expect(counted.filter(({ value }: { value: number }) => value !== 0)).toEqual([
      { timestamp: new Date(Math.floor(startMs / 60_000) * 60_000).toISOString(), value: 1 },
    ])
  })

  it('replace a span with the same ids, so that nothing is counted twice', async () => {
    const own = await createTenant(server.url)
    const span = { traceId: newTraceId(), spanId: newSpanId(), name: 'first' }
    for (let sent = 0; sent < 3; sent++) await send([span], own)
    await traceOf(own, span.traceId)
    await send([{ ...span, name: 'second', endMs: startMs + 700 }, span, { ...span, name: 'last' }], own)
    await until(
      async () => (await traceOf(own, span.traceId)).spans[0].name === 'last',
      'the last version of the span',
    )
    expect(await metrics(own)).toMatchObject({ total_queries: 1, avg_response_time_ms: 100 })
  })

  it('keep the scores of their trace', async () => {
    const traceId = newTraceId()
    await send([{ traceId, spanId: newSpanId() }])
    await traceOf(tenant, traceId)
    await tenant.project.ok('POST', `${base}/traces/${traceId}/scores`, { name: 'quality', value: 0.5 })
    await send([{ traceId, spanId: newSpanId() }])
    const { scores } = await traceOf(tenant, traceId, 2)
    expect(scores).toMatchObject([{ name: 'quality', value: 0.5 }])
  })

  it('keep the tags that were added and removed by hand, also when the root span comes later', async () => {
    const traceId = newTraceId()
    const root = newSpanId()
    const tagged = (tags: string[]) => ({ 'langfuse.trace.tags': tags })
    const change = { trace_ids: [traceId], add: ['good'], remove: ['beta', 'root'] }
    await send([{ traceId, spanId: newSpanId(), parentId: root, attributes: tagged(['beta', 'early']) }])
    expect((await traceOf(tenant, traceId)).tags).toEqual(['beta', 'early'])
    await tenant.project.ok('POST', `${base}/traces/tags`, change)
    expect((await traceOf(tenant, traceId)).tags).toEqual(['early', 'good'])
    await send([{ traceId, spanId: root, attributes: tagged(['beta', 'root']) }])
    expect((await traceOf(tenant, traceId, 2)).tags).toEqual(['root', 'good'])
    const { body } = await tenant.project.ok('GET', `${base}/analytics/traces?tag=good`)
    expect(body.map(({ trace_id }: { trace_id: string }) => trace_id)).toEqual([traceId])
  })

  it('are rejected for a deleted trace, which stays deleted', async () => {
    const own = await createTenant(server.url, ['ingest', 'read', 'write'])
    const [traceId, other] = [newTraceId(), newTraceId()]
    await send([{ traceId, spanId: newSpanId() }], own)
    await traceOf(own, traceId)
    await own.project.ok('DELETE', `/v1/${own.projectId}/traces/${traceId}`)
    const late = [traceId, other].map((id) => ({ traceId: id, spanId: newSpanId() }))
    const { body } = await own.project.ok('POST', '/v1/traces', tracesBody(late))
    expect(body).toEqual({ partialSuccess: { rejectedSpans: '1', errorMessage: 'the trace was deleted' } })
    await traceOf(own, other)
    expect((await own.project.get(`/v1/${own.projectId}/analytics/traces/${traceId}`)).status).toBe(404)
    expect(await metrics(own)).toMatchObject({ total_queries: 1 })
  })

  it('of the same trace id in another project are another trace', async () => {
    const [one, two] = [
      await createTenant(server.url, ['ingest', 'read', 'write']),
      await createTenant(server.url),
    ]
    const traceId = newTraceId()
    await send([{ traceId, spanId: newSpanId(), name: 'of one' }], one)
    await send([{ traceId, spanId: newSpanId(), name: 'of two' }], two)
    expect((await traceOf(one, traceId)).spans[0].name).toBe('of one')
    await one.project.ok('DELETE', `/v1/${one.projectId}/traces/${traceId}`)
    expect((await traceOf(two, traceId)).spans[0].name).toBe('of two')
    await send([{ traceId, spanId: newSpanId(), name: 'late' }], two)
    await traceOf(two, traceId, 2)
    expect(await metrics(one)).toMatchObject({ total_queries: 0 })
  })

  it('are rejected one by one if they are invalid', async () => {
    const good = { traceId: newTraceId(), spanId: newSpanId() }
    const bad = [
      { ...good, traceId: '0'.repeat(32) },
      { ...good, traceId: good.traceId.slice(1) },
      { ...good, spanId: '' },
    ]
    const { body } = await tenant.project.ok('POST', '/v1/traces', tracesBody([...bad, good]))
    expect(body.partialSuccess).toEqual({
      rejectedSpans: '3',
      errorMessage: 'trace_id must have 16 bytes that are not all zero',
    })
    expect((await traceOf(tenant, good.traceId)).spans[0].span_id).toBe(good.spanId)
  })

  it('keep every attribute exactly', async () => {
    const traceId = newTraceId()
    const value = {
      kvlistValue: {
        values: [
          { key: '__proto__', value: { stringValue: 'own' } },
          { key: 'big', value: { intValue: '9223372036854775807' } },
          { key: 'small', value: { intValue: -5 } },
          { key: 'bytes', value: { bytesValue: 'AAEC' } },
          {
            key: 'list',
            value: { arrayValue: { values: [{ boolValue: false }, {}, { doubleValue: 0.5 }] } },
          },
          { key: 'nan', value: { doubleValue: 'NaN' } },
          { key: 'nul', value: { stringValue: 'a\0b' } },
        ],
      },
    }
    const span = {
      traceId: traceId.toUpperCase(),
      spanId: newSpanId(),
      name: 'exact',
      startTimeUnixNano: '1700000000123456789',
      endTimeUnixNano: '1700000000223456789',
      attributes: [{ key: 'own.unknown', value }],
    }
    await tenant.project.ok('POST', '/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
    const { text } = await until(async () => {
      const answer = await tenant.project.get(`${base}/analytics/traces/${traceId}`)
      return answer.status === 200 && answer
    }, 'the trace')
    const kept =
      '"own.unknown":{"__proto__":"own","big":"9223372036854775807","small":-5,"bytes":"AAEC","list":[false,null,0.5],"nan":"NaN","nul":"a\\u0000b"}'
    expect(text).toContain(kept)
  })

  describe('credentials', () => {
    const body = () => tracesBody([{ traceId: newTraceId(), spanId: newSpanId() }])
    const basic = (user: string, password: string) => ({
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    })
    const paths = ['/v1/traces', '/api/public/otel/v1/traces']

    async function statusOf(headers: Record<string, string>, path = '/v1/traces') {
      const answer = await new Api(server.url, headers).post(path, body())
      return [answer.status, answer.body.code, answer.body.message]
    }

    it.each(paths)('of %s are a bearer token, x-api-key, or Basic with project id and key', async (path) => {
      const { projectId, projectKey } = tenant
      for (const headers of [
        { authorization: `Bearer ${projectKey}` },
        { 'x-api-key': projectKey },
        basic(projectId, projectKey),
      ]) {
        expect(await statusOf(headers, path)).toEqual([200, undefined, undefined])
      }
    })

    it.each(paths)('of %s that are wrong get 401 or 403 as google.rpc.Status', async (path) => {
      const other = await createTenant(server.url, ['read'])
      const { projectId, projectKey, chatKey } = tenant
      const wrong: Record<string, string>[] = [
        {},
        { 'x-api-key': '' },
        { 'x-api-key': `${projectKey}x` },
        basic(projectId, 'wrong'),
        basic(projectId, ''),
        { authorization: 'Basic nonsense' },
        { cookie: 'cairn_session=x' },
      ]
      for (const headers of wrong) {
        expect(await statusOf(headers, path), JSON.stringify(headers)).toEqual([401, 16, expect.any(String)])
      }
      const forbidden = [
        basic(other.projectId, projectKey),
        { authorization: `Bearer ${chatKey}` },
        { 'x-api-key': other.projectKey },
      ]
      for (const headers of forbidden) {
        expect(await statusOf(headers, path), JSON.stringify(headers)).toEqual([403, 7, expect.any(String)])
      }
    })
  })

  it('of metrics are rejected as a partial success with a reason', async () => {
    const points = [{ asInt: '1' }, { asInt: '2' }]
    const metrics = [{ gauge: { dataPoints: points } }, { sum: { dataPoints: points } }, { name: 'none' }]
    const { body } = await tenant.project.ok('POST', '/v1/metrics', {
      resourceMetrics: [{ scopeMetrics: [{ metrics }] }],
    })
    expect(body).toEqual({
      partialSuccess: { rejectedDataPoints: '4', errorMessage: 'metrics are not stored' },
    })
    expect((await tenant.project.ok('POST', '/v1/metrics', {})).body).toEqual({})
  })

  describe('with log records', () => {
    const record = (eventName: string, fields: object) => ({
      eventName,
      timeUnixNano: '1700000000000000000',
      ...fields,
    })
    const sendLogs = async (logRecords: object[]) =>
      (await tenant.project.ok('POST', '/v1/logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] })).body

    it('take the score of an evaluation once, also if it came before its span and is repeated', async () => {
      const [traceId, spanId] = [newTraceId(), newSpanId()]
      const attributes = [
        { key: 'gen_ai.evaluation.name', value: { stringValue: 'relevance' } },
        { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0.75 } },
        { key: 'gen_ai.evaluation.explanation', value: { stringValue: 'to the point' } },
      ]
      const event = record('gen_ai.evaluation.result', { traceId, spanId, attributes })
      expect(await sendLogs([event])).toEqual({})
      await send([{ traceId, spanId }])
      await traceOf(tenant, traceId)
      expect(await sendLogs([event])).toEqual({})
      await send([{ traceId, spanId: newSpanId() }])
      const { scores } = await traceOf(tenant, traceId, 2)
      expect(scores).toMatchObject([
        { name: 'relevance', value: 0.75, comment: 'to the point', span_id: spanId },
      ])
    })

    it('take the scores of many evaluations, each once, up to the limit of a trace', async () => {
      const traceId = newTraceId()
      const evaluations = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) => {
          const attributes = [
            { key: 'gen_ai.evaluation.name', value: { stringValue: `q-${from + index}` } },
            { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0.5 } },
          ]
          return record('gen_ai.evaluation.result', { traceId, spanId: newSpanId(), attributes })
        })
      const scores = `/v1/${tenant.projectId}/traces/${traceId}/scores`
      const expectScores = async (count: number) => {
        const body = await until(async () => {
          const answer = await tenant.project.get(scores)
          return answer.status === 200 && answer.body.length >= count && answer.body
        }, `${count} scores`)
        const names = (body as { name: string }[]).map(({ name }) => name)
        expect(names.toSorted()).toEqual(Array.from({ length: count }, (_, index) => `q-${index}`).toSorted())
      }
      const first = evaluations(0, 700)
      await sendLogs(first)
      await send([{ traceId, spanId: newSpanId() }])
      await expectScores(700)
      await sendLogs([...first, ...evaluations(700, 1000)])
      await expectScores(1000)
      await sendLogs(evaluations(1000, 1001))
      await send([{ traceId, spanId: newSpanId() }])
      await traceOf(tenant, traceId, 2)
      await expectScores(1000)
      const refused = await tenant.project.post(scores, { name: 'tone', value: 1 })
      expectRefusal(refused, { status: 409, project: true, names: '1000 scores' })
    })

    it('reject others as a partial success', async () => {
      const named = { traceId: newTraceId(), spanId: newSpanId() }
      const body = await sendLogs([record('app.started', named), record('gen_ai.user.message', {})])
      expect(body.partialSuccess).toEqual({
        rejectedLogRecords: '2',
        errorMessage: 'logs are not stored, except events whose name begins with gen_ai.',
      })
    })
  })
})
