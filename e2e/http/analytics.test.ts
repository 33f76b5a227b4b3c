import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectClose, projectWith } from '../support/known-traces.ts'
import { seededRandom } from '../support/random.ts'
import {
  awkwardTraces,
  costOf,
  costsOf,
  firstMs,
  type KnownTrace,
  kept,
  latenciesOf,
  metricsOf,
  percentile,
  performanceOf,
  type SentTrace,
  select,
} from '../support/trace-model.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const iso = (ms: number) => new Date(ms).toISOString()
const period = (from: number, to: number) => `start_date=${iso(from)}&end_date=${iso(to)}`
const within = (known: readonly KnownTrace[], from: number, to: number) =>
  select(known, [
    ['start_date', iso(from)],
    ['end_date', iso(to)],
  ])

type Interval = 'minute' | 'hour' | 'day' | 'week' | 'month'

/** The start of the interval that contains a time. */
function beginningOf(interval: Interval, ms: number): number {
  const date = new Date(ms)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  switch (interval) {
    case 'minute':
      return date.setUTCSeconds(0, 0)
    case 'hour':
      return date.setUTCMinutes(0, 0, 0)
    case 'day':
      return Date.UTC(year, month, day)
    case 'week':
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7))
    case 'month':
      return Date.UTC(year, month, 1)
  }
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const tokens = (name: string) => (traces: readonly KnownTrace[]) =>
  sumOf(traces.map(({ sent }) => sent.token_usage?.[name] ?? 0))
const costs = (traces: readonly KnownTrace[]) =>
  traces.map(({ sent }) => costOf(sent)).filter((cost) => cost !== undefined)
const meanOf = (values: readonly number[]) => (values.length ? sumOf(values) / values.length : 0)

/** Every metric of a time series, over the traces of one point. Percentiles are within 1 %. */
const metrics: Record<string, (traces: readonly KnownTrace[]) => number> = {
  traces: (traces) => traces.length,
  errors: (traces) => metricsOf(traces).failed,
  error_rate: (traces) => metricsOf(traces).failed / traces.length,
  avg_latency_ms: (traces) => meanOf(latenciesOf(traces)),
  p50_latency_ms: (traces) => percentile(latenciesOf(traces), 0.5),
  p95_latency_ms: (traces) => percentile(latenciesOf(traces), 0.95),
  p99_latency_ms: (traces) => percentile(latenciesOf(traces), 0.99),
  total_cost: (traces) => sumOf(costs(traces)),
  avg_cost: (traces) => meanOf(costs(traces)),
  prompt_tokens: tokens('prompt_tokens'),
  completion_tokens: tokens('completion_tokens'),
  total_tokens: (traces) => tokens('prompt_tokens')(traces) + tokens('completion_tokens')(traces),
}

/** Every figure of a group. */
const figuresOfGroup: typeof metrics = {
  ...metrics,
  unpriced_traces: (traces) => traces.length - costs(traces).length,
}

/** The group values of a trace. */
const groupings: Record<string, (trace: SentTrace) => unknown[]> = {
  model: ({ model }) => [model],
  version: ({ version }) => [version],
  status: ({ status }) => [status],
  environment: ({ environment }) => [environment],
  user_id: ({ user_id }) => [user_id],
  tag: ({ tags }) => tags,
  'attr.flag': ({ custom_attributes }) => [custom_attributes.flag],
  'attr.n': ({ custom_attributes }) => [custom_attributes.n],
  'attr.nested.deep.tier': ({ custom_attributes }) => [
    (custom_attributes.nested as { deep: { tier: string } }).deep.tier,
  ],
}

/** The returned form of a value: a long value is cut, with a hash of the rest. */
const shown = (value: unknown) => kept(String(value))
const isShort = (value: unknown) => String(value).length <= 200

const traces = awkwardTraces(300)

describe.each(sharedServers)('analytics, on $database', ({ server }) => {
  let tenant: Tenant
  let base: string
  let known: KnownTrace[]

  beforeAll(async () => {
    const made = await projectWith(server.url, traces)
    tenant = made.tenant
    known = made.known
    base = `/v1/${tenant.projectId}/analytics`
    await projectWith(server.url, traces.slice(0, 50))
  })

  const get = async (path: string, caller = tenant) =>
    (await caller.project.ok('GET', `/v1/${caller.projectId}/analytics/${path}`)).body

  async function expectSummaries(from: number, to: number): Promise<void> {
    const expected = within(known, from, to)
    const what = `${iso(from)} to ${iso(to)}`
    const query = period(from, to)
    const [metrics, costs, performance] = await Promise.all(
      ['metrics', 'costs', 'performance'].map((path) => get(`${path}?${query}`)),
    )
    for (const { period_start, period_end } of [metrics, costs, performance]) {
      expect({ period_start, period_end }).toEqual({ period_start: iso(from), period_end: iso(to) })
    }
    expectClose(metrics, metricsOf(expected), what)
    expectClose(costs, costsOf(expected), what)
    expectClose(performance, performanceOf(expected), what)
    expect(costs.currency).toBe('USD')
    const { total_cost, llm_cost, embedding_cost, reranking_cost } = costs
    expect(total_cost).toBeCloseTo(llm_cost + embedding_cost + reranking_cost, 12)
    expect(total_cost).toBeCloseTo(metrics.total_cost, 9)
  }

  it('contain exactly the traces of the period, for any start and end', async () => {
    const edges = [-hourMs, -1, 0, 1, minuteMs - 1, minuteMs, hourMs, dayMs - 1, dayMs, dayMs + 1]
    for (const from of edges) {
      for (const to of [...edges, 7 * dayMs + 1, 28 * dayMs]) {
        if (from < to && (from + to) % 3 !== 1) await expectSummaries(firstMs + from, firstMs + to)
      }
    }
    const random = seededRandom(9)
    for (let i = 0; i < 10; i++) {
      const from = firstMs + Math.floor(random() * 20 * dayMs)
      await expectSummaries(from, from + Math.floor(random() * 10 * dayMs))
    }
  })

  it('count traces before 1970 and in the future in their period', async () => {
    const [old, future] = [Date.UTC(1960, 0, 1), Date.UTC(2040, 0, 1)]
    expect(within(known, old, 0).length).toBeGreaterThan(3)
    await expectSummaries(old, future)
    await expectSummaries(old, 0)
    await expectSummaries(old, -1000)
    await expectSummaries(-1001, 0)
    await expectSummaries(-61_000, -1)
    await expectSummaries(Date.UTC(2031, 0, 1) + 2, future)
    await expectSummaries(Date.UTC(2031, 0, 1), Date.UTC(2031, 0, 1) + 3)
    await expectSummaries(Date.UTC(2999, 0, 1), Date.UTC(3000, 0, 1))
  })

  it('cover the last 30 days by default, and are zero from a start in the future on', async () => {
    const now = Date.now()
    const { tenant: fresh } = await projectWith(server.url, [
      { ...(traces[0] as SentTrace), created_at: iso(now - 31 * dayMs) },
      { ...(traces[1] as SentTrace), created_at: iso(now - 29 * dayMs) },
      { ...(traces[2] as SentTrace), created_at: iso(now + dayMs) },
    ])
    for (const path of ['metrics', 'costs', 'performance', 'timeseries', 'scores']) {
      const { period_start, period_end } = await get(path, fresh)
      expect(Date.parse(period_end) - Date.parse(period_start), path).toBe(30 * dayMs)
    }
    expect((await get('metrics', fresh)).total_queries).toBe(1)
    expect((await get('performance', fresh)).total_traces).toBe(1)
    const { series } = await get('timeseries', fresh)
    expect(sumOf(series[0].points.map(({ value }: { value: number }) => value))).toBe(1)
    for (const path of ['metrics', 'costs', 'performance']) {
      const answer = await get(`${path}?start_date=2999-01-01`, fresh)
      const numbers = Object.values(answer).filter((value) => typeof value === 'number')
      expect(numbers.length, path).toBeGreaterThan(3)
      expect(new Set(numbers), path).toEqual(new Set([0]))
    }
  })

  it.each(Object.keys(metrics))('over time, the metric %s is correct at each point', async (metric) => {
    const [from, to] = [firstMs - 90_500, firstMs + 29 * dayMs + 1]
    const spans: [Interval, number, number][] = [
      ['minute', from, firstMs + 2 * hourMs + 1],
      ['hour', from, firstMs + 8 * dayMs + 1],
      ['day', from, to],
      ['week', from, to],
      ['month', Date.UTC(1969, 0, 15), Date.UTC(2031, 5, 1)],
    ]
    for (const [interval, start, end] of spans) {
      const expected = within(known, start, end)
      const byPoint = Map.groupBy(expected, ({ sent }) => beginningOf(interval, Date.parse(sent.created_at)))
      const { series } = await get(`timeseries?metric=${metric}&interval=${interval}&${period(start, end)}`)
      expect(series).toHaveLength(1)
      const { points } = series[0]
      const times = points.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp))
      expect(times[0]).toBe(beginningOf(interval, start))
      expect(times.at(-1)).toBe(beginningOf(interval, end - 1))
      expect(times.every((time: number) => beginningOf(interval, time) === time)).toBe(true)
      expect([...byPoint.keys()].every((time) => times.includes(time))).toBe(true)
      for (const { timestamp, value } of points) {
        const inPoint = byPoint.get(Date.parse(timestamp)) ?? []
        const wanted = inPoint.length === 0 ? 0 : (metrics[metric] as (t: KnownTrace[]) => number)(inPoint)
        const tolerance = /^p\d/.test(metric) ? 0.0101 : 1e-9
        const off = Math.abs(value - wanted)
        expect(
          off <= tolerance * Math.abs(wanted) + 1e-12,
          `${interval} ${timestamp}: ${value} ${wanted}`,
        ).toBe(true)
      }
    }
  })

  it.each(Object.keys(groupings))('over time, by %s, are correct for each group', async (groupBy) => {
    const valuesOf = groupings[groupBy] as (trace: SentTrace) => unknown[]
    const [from, to] = [firstMs + 1, firstMs + 28 * dayMs]
    for (const filter of ['', '&status=error', '&tag=alpha', '&q=o']) {
      const all = within(known, from, to).filter(
        ({ sent }) =>
          (filter !== '&status=error' || sent.status === 'error') &&
          (filter !== '&tag=alpha' || sent.tags.includes('alpha')) &&
          (filter !== '&q=o' || /o/i.test(sent.input + sent.output)),
      )
      for (const metric of ['traces', 'total_cost', 'p95_latency_ms']) {
        const { series, group_by } = await get(
          `timeseries?metric=${metric}&interval=week&limit=100&group_by=${groupBy}${filter}&${period(from, to)}`,
        )
        expect(group_by).toBe(groupBy)
        const groups = new Map<string, KnownTrace[]>()
        for (const trace of all) {
          const own = valuesOf(trace.sent).filter((value) => value !== undefined && isShort(value))
          for (const value of new Set(own.map(shown)))
            groups.set(value, [...(groups.get(value) ?? []), trace])
        }
        const short = series.filter(({ group }: { group: string }) => !group.includes('…'))
        expect(new Set(short.map(({ group }: { group: string }) => group))).toEqual(new Set(groups.keys()))
        for (const { group, points } of short) {
          const byPoint = Map.groupBy(groups.get(group) ?? [], ({ sent }) =>
            beginningOf('week', Date.parse(sent.created_at)),
          )
          for (const { timestamp, value } of points) {
            const inPoint = byPoint.get(Date.parse(timestamp)) ?? []
            const wanted = inPoint.length ? (metrics[metric] as (t: KnownTrace[]) => number)(inPoint) : 0
            const off = Math.abs(value - wanted)
            expect(off <= 0.0101 * wanted * Number(metric[0] === 'p') + 1e-9, `${group} ${timestamp}`).toBe(
              true,
            )
          }
        }
      }
    }
  })

  it.each(Object.keys(groupings))('by %s, every figure is correct for each group', async (groupBy) => {
    const valuesOf = groupings[groupBy] as (trace: SentTrace) => unknown[]
    const [from, to] = [firstMs + 1, firstMs + 28 * dayMs + 5]
    for (const [filter, fits] of [
      ['', () => true],
      ['&status=error', (sent: SentTrace) => sent.status === 'error'],
      ['&q=o', (sent: SentTrace) => /o/i.test(sent.input + sent.output)],
    ] as const) {
      const groups = new Map<string, KnownTrace[]>()
      for (const trace of within(known, from, to).filter(({ sent }) => fits(sent))) {
        const own = valuesOf(trace.sent).filter((value) => value !== undefined && isShort(value))
        for (const value of new Set(own.map(shown))) groups.set(value, [...(groups.get(value) ?? []), trace])
      }
      const answer = await get(`breakdown?limit=100&group_by=${groupBy}${filter}&${period(from, to)}`)
      expect(answer).toMatchObject({ group_by: groupBy, period_start: iso(from), period_end: iso(to) })
      const short = answer.groups.filter(({ group }: { group: string }) => !group.includes('…'))
      expect(new Set(short.map(({ group }: { group: string }) => group))).toEqual(new Set(groups.keys()))
      for (const { group, ...figures } of short) {
        expect(Object.keys(figures).sort()).toEqual(Object.keys(figuresOfGroup).sort())
        for (const [metric, value] of Object.entries<number>(figures)) {
          const wanted = (figuresOfGroup[metric] as (t: KnownTrace[]) => number)(groups.get(group) ?? [])
          const tolerance = (/^p\d/.test(metric) ? 0.0101 : 1e-9) * Math.abs(wanted) + 1e-9
          expect(Math.abs(value - wanted) <= tolerance, `${group} ${metric}: ${value} ${wanted}`).toBe(true)
        }
      }
      const counts = answer.groups.map(({ traces }: { traces: number }) => traces)
      expect(counts).toEqual(counts.toSorted((a: number, b: number) => b - a))
    }
  })

  it('by group, reject an unknown group, and return the requested number of groups', async () => {
    for (const [query, name] of [
      ['', 'group_by'],
      ['group_by=session_id', 'group_by'],
      ['group_by=model&limit=0', 'limit'],
    ] as const) {
      const { status, body } = await tenant.project.get(`${base}/breakdown?${query}`)
      expect(status, query).toBe(400)
      expect(body.error.message).toContain(name)
    }
    const { groups } = await get(`breakdown?group_by=tag&limit=2&${period(firstMs, firstMs + 28 * dayMs)}`)
    expect(groups).toHaveLength(2)
  })

  it('return the groups with the most traces in the period, not in the days around it', async () => {
    const trace = (model: string, ms: number, tags = [model]): SentTrace => ({
      ...{ input: '', output: '', status: 'success', metadata: {} },
      ...{ tags, custom_attributes: { kind: model }, model, created_at: iso(firstMs + ms) },
      ...(model === 'b' && { environment: 'live' }),
    })
    const morning = Array.from({ length: 30 }, (_, i) => trace(`a${i % 6}`, hourMs + i))
    const evening = [trace('b', 20 * hourMs), trace('b', 20 * hourMs + 1), trace('c', 20 * hourMs)]
    const { tenant: caller } = await projectWith(server.url, [...morning, ...evening])
    for (const groupBy of ['model', 'tag', 'attr.kind']) {
      const top = async (query: string) => {
        const path = `timeseries?interval=hour&group_by=${groupBy}&${query}`
        const { series } = await get(path, caller)
        return series.map(({ group }: { group: string }) => group)
      }
      const hours = period(firstMs + 19 * hourMs, firstMs + 21 * hourMs)
      expect(await top(`limit=1&${hours}`), groupBy).toEqual(['b'])
      expect(await top(`limit=2&${hours}`), groupBy).toEqual(['b', 'c'])
      expect(await top(hours), groupBy).toEqual(['b', 'c'])
      const day = period(firstMs, firstMs + dayMs)
      expect(await top(`limit=1&environment=live&${day}`), groupBy).toEqual(['b'])
      expect(await top(`limit=7&${day}`), groupBy).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'b'])
    }
  })

  it('choose an interval for the period, and reject an interval with too many points', async () => {
    const chosen = async (ms: number) => (await get(`timeseries?${period(firstMs, firstMs + ms)}`)).interval
    expect(await chosen(hourMs)).toBe('minute')
    expect(await chosen(2 * dayMs)).toBe('hour')
    expect(await chosen(30 * dayMs)).toBe('day')
    expect(await chosen(3 * 365 * dayMs)).toBe('week')
    const century = await get('timeseries?start_date=1930-01-01&end_date=2030-01-01')
    expect(century.interval).toBe('month')
    expect(century.series[0].points).toHaveLength(1200)
    const ages = await get('timeseries?start_date=0050-01-01&end_date=0051-01-01&interval=month')
    expect(ages.series[0].points).toHaveLength(12)
    for (const query of [
      'interval=minute&start_date=2024-01-01&end_date=2024-02-01',
      'start_date=0001-01-01',
    ]) {
      const { status, body } = await tenant.project.get(`${base}/timeseries?${query}`)
      expect(status).toBe(400)
      expect(body.error.message).toMatch(/interval|period/)
    }
    for (const [query, name] of [
      ['metric=speed', 'metric'],
      ['interval=year', 'interval'],
      ['group_by=session_id', 'group_by'],
      ['group_by=attr.', 'group_by'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
    ] as const) {
      const { status, body } = await tenant.project.get(`${base}/timeseries?${query}`)
      expect(status, query).toBe(400)
      expect(body.error.message).toContain(name)
    }
  })

  it('contain exact percentiles up to 10,000 traces, and percentiles within 1 % above', {
    timeout: 120_000,
  }, async () => {
    const random = seededRandom(12)
    const many: SentTrace[] = Array.from({ length: 12_000 }, (_, i) => ({
      ...{ input: '', output: '', status: 'success', tags: [], metadata: {}, custom_attributes: {} },
      latency_ms: i % 50 === 0 ? 0 : Math.exp(random() * 20 - 6),
      created_at: iso(firstMs + i * 20_000),
    }))
    const { tenant: caller, known: all } = await projectWith(server.url, many)
    const read = async (to: number) => get(`performance?${period(firstMs, firstMs + to)}`, caller)
    expectClose(await read(10_000 * 20_000), performanceOf(all.slice(0, 10_000)), 'exact')
    const estimate = await read(12_000 * 20_000)
    const expected = performanceOf(all)
    expect(estimate.total_traces).toBe(12_000)
    for (const name of ['p50_latency_ms', 'p95_latency_ms', 'p99_latency_ms'] as const) {
      expect(Math.abs(estimate[name] / expected[name] - 1), name).toBeLessThanOrEqual(0.01 + 1e-9)
    }
    expect(Math.abs(estimate.avg_latency_ms / expected.avg_latency_ms - 1)).toBeLessThan(1e-9)
    const scanned = await get(
      `performance?min_latency_ms=0&${period(firstMs, firstMs + 12_000 * 20_000)}`,
      caller,
    )
    const { period_start, period_end, ...figures } = estimate
    expectClose(scanned, figures, 'a scan makes the same bins')
    expect(scanned).toMatchObject({ period_start, period_end })
  })

  it('reject amounts whose sums a database cannot store, and stay correct', async () => {
    const caller = await createTenant(server.url)
    const huge = { input: '', output: '', token_usage: { prompt_tokens: 1e308, completion_tokens: 1e308 } }
    const refused = await caller.project.post(`/v1/${caller.projectId}/traces`, huge)
    expect(refused.status).toBe(400)
    expect(refused.body.error.message).toContain('token_usage.prompt_tokens')
    const extra = { input: '', output: '', token_usage: { prompt_tokens: 1e15, cache_read_tokens: 1e308 } }
    await caller.project.ok('POST', `/v1/${caller.projectId}/traces`, extra)
    await caller.project.ok('POST', `/v1/${caller.projectId}/traces`, extra)
    const { series } = await get('timeseries?metric=prompt_tokens', caller)
    expect(sumOf(series[0].points.map(({ value }: { value: number }) => value))).toBe(2e15)
  })

  it('contain averages of scores by name and over time', async () => {
    const { tenant: caller, known: some } = await projectWith(server.url, traces.slice(0, 6))
    const values = [0, 0.25, 1, 0.5, 0.125]
    for (const [index, value] of values.entries()) {
      const name = index < 3 ? 'tone' : 'Ü b'
      const id = some[index]?.id
      await caller.project.ok('POST', `/v1/${caller.projectId}/traces/${id}/scores`, { name, value })
    }
    const answer = await get('scores?interval=day', caller)
    const byName = Object.fromEntries(answer.scores.map((each: { name: string }) => [each.name, each]))
    expect(Object.keys(byName).sort()).toEqual(['tone', 'Ü b'])
    expect(byName.tone).toMatchObject({ count: 3, average: 1.25 / 3, min: 0, max: 1 })
    expect(byName['Ü b']).toMatchObject({ count: 2, average: 0.3125, min: 0.125, max: 0.5 })
    const counts = byName.tone.points.map(({ count }: { count: number }) => count)
    expect(sumOf(counts)).toBe(3)
    const one = await get(`scores?name=${encodeURIComponent('Ü b')}`, caller)
    expect(one.scores.map(({ name }: { name: string }) => name)).toEqual(['Ü b'])
    expect((await get('scores?start_date=2999-01-01', caller)).scores).toEqual([])
    expect((await get('scores')).scores).toEqual([])
    for (const status of ['success', 'error'] as const) {
      const filtered = await get(`scores?status=${status}`, caller)
      const expected = some.slice(0, 5).filter(({ sent }) => sent.status === status).length
      expect(sumOf(filtered.scores.map(({ count }: { count: number }) => count)), status).toBe(expected)
    }
  })
})
