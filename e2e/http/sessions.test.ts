import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { allPages, projectWith, store } from '../support/known-traces.ts'
import { awkwardTraces, type KnownTrace, metricsOf, type SentTrace, select } from '../support/trace-model.ts'

const totalTokens = (traces: readonly KnownTrace[]) =>
  traces
    .map(({ sent: { token_usage: usage } }) => (usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0))
    .reduce((sum, tokens) => sum + tokens, 0)

const sessionIds = [
  'a',
  'A',
  'a/b',
  '../x',
  'a b',
  '%41',
  '?q=1#x',
  'ü',
  '🦉',
  'x'.repeat(199),
  'x'.repeat(300),
]

describe.each(sharedServers)('sessions, on $database', ({ server }) => {
  let tenant: Tenant
  let known: KnownTrace[]
  let base: string
  const sent = awkwardTraces(120).map((trace, i) => {
    const session_id = i % 10 === 0 ? undefined : sessionIds[(i * 7) % sessionIds.length]
    const user_id = i % 3 === 0 ? undefined : `user ${i % 7}`
    return JSON.parse(JSON.stringify({ ...trace, session_id, user_id })) as SentTrace
  })

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    base = `/v1/${tenant.projectId}/analytics/sessions`
    known = await store(tenant, sent)
    await projectWith(server.url, sent.slice(0, 40))
  })

  /** The expected session for these traces, newest first. */
  function sessionOf(traces: readonly KnownTrace[]) {
    const [newest, oldest] = [traces[0], traces.at(-1)] as [KnownTrace, KnownTrace]
    return {
      user_id: traces.find(({ sent }) => sent.user_id !== undefined)?.sent.user_id ?? null,
      trace_count: traces.length,
      error_count: metricsOf(traces).failed,
      total_cost: expect.closeTo(metricsOf(traces).total_cost, 9),
      unpriced_count: metricsOf(traces).unpriced_traces,
      total_tokens: totalTokens(traces),
      avg_latency_ms: expect.closeTo(metricsOf(traces).avg_response_time_ms, 6),
      first_trace_at: oldest.sent.created_at,
      last_trace_at: newest.sent.created_at,
    }
  }

  function sessions(filter: (trace: SentTrace) => boolean = () => true): [string, KnownTrace[]][] {
    const withSession = select(known, []).filter(({ sent }) => sent.session_id !== undefined)
    const all = Map.groupBy(withSession, ({ sent }) => sent.session_id as string)
    return [...all].filter(([, traces]) => traces.some(({ sent }) => filter(sent)))
  }

  const short = (id: string) => (id.length > 200 ? expect.stringMatching(/^x{150}…[0-9a-f]{40}$/) : id)

  it('are listed by their newest trace, with the sums over all of their traces', async () => {
    const { body } = await tenant.project.ok('GET', base)
    const expected = sessions().map(([id, traces]) => ({ session_id: short(id), ...sessionOf(traces) }))
    expect(expected.length).toBe(sessionIds.length)
    expect(body).toEqual(expected)
  })

  it.each([1, 2, 3, 10, 11, 12])('are the whole list in pages of %i', async (limit) => {
    // The order of the additions is undefined, so the last digits of sums may differ between two reads.
    const inOrder = (rows: { session_id: string; trace_count: number; last_trace_at: string }[]) =>
      rows.map(({ session_id, trace_count, last_trace_at }) => [session_id, trace_count, last_trace_at])
    const whole = (await tenant.project.ok('GET', base)).body
    expect(inOrder(await allPages(tenant, `${base}?limit=${limit}`))).toEqual(inOrder(whole))
  })

  it('are found by the fields of one of their traces', async () => {
    const filters: [string, (trace: SentTrace) => boolean][] = [
      ['status=error&tag=beta', ({ status, tags }) => status === 'error' && tags.includes('beta')],
      ['user_id=user%203', ({ user_id }) => user_id === 'user 3'],
      ['session_id=a%2Fb', ({ session_id }) => session_id === 'a/b'],
      ['min_latency_ms=900', ({ latency_ms }) => (latency_ms ?? 0) >= 900],
      ['q=done%207', ({ output }) => output.includes('done 7')],
      ['attr.n=1.5&model=alpha', ({ model, custom_attributes: { n } }) => n === 1.5 && model === 'alpha'],
      ['tag=nobody', () => false],
    ]
    for (const [query, filter] of filters) {
      const { body } = await tenant.project.ok('GET', `${base}?${query}`)
      const expected = sessions(filter).map(([id]) => short(id))
      expect(
        body.map((each: { session_id: string }) => each.session_id),
        query,
      ).toEqual(expected)
    }
  })

  it('contain their traces oldest first, also in pages, for any session id', async () => {
    for (const [id, traces] of sessions()) {
      const path = `${base}/${encodeURIComponent(id)}`
      const { body } = await tenant.project.ok('GET', path)
      const { traces: shownTraces, ...head } = body
      expect(head, id).toEqual({ session_id: short(id), ...sessionOf(traces) })
      const oldestFirst = traces.map((trace) => trace.id).toReversed()
      const ids = (page: Answer['body']) => page.traces.map(({ trace_id }: { trace_id: string }) => trace_id)
      expect(ids(body), id).toEqual(oldestFirst)
      const paged: string[] = []
      for (let cursor = ''; ; ) {
        const page = await tenant.project.ok('GET', `${path}?limit=3${cursor && `&cursor=${cursor}`}`)
        paged.push(...ids(page.body))
        cursor = page.headers.get('x-next-cursor') ?? ''
        if (cursor === '') break
      }
      expect(paged, id).toEqual(oldestFirst)
    }
  })

  it('are found by the id in the list', async () => {
    for (const { session_id, trace_count } of (await tenant.project.ok('GET', base)).body) {
      const { body } = await tenant.project.ok('GET', `${base}/${encodeURIComponent(session_id)}`)
      expect(body.trace_count).toBe(trace_count)
      const query = `session_id=${encodeURIComponent(session_id)}`
      const list = await tenant.project.ok('GET', `/v1/${tenant.projectId}/analytics/traces?${query}`)
      expect(list.body).toHaveLength(trace_count)
    }
  })

  it('get 404 if they are unknown or belong to another project', async () => {
    const other = await createTenant(server.url)
    for (const id of ['nobody', '%00', 'a%00', '%ff', encodeURIComponent('y'.repeat(1500)), "' or 1=1"]) {
      const { status, body } = await tenant.project.get(`${base}/${id}`)
      expect(status, id).toBe(id === '%ff' ? 400 : 404)
      expect(body.error.message, id).toEqual(expect.any(String))
    }
    expect((await other.project.get(`/v1/${other.projectId}/analytics/sessions/a`)).status).toBe(404)
    expect((await other.project.ok('GET', `/v1/${other.projectId}/analytics/sessions`)).body).toEqual([])
  })
})
