import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { parseCsv } from '../support/csv.ts'
import { sharedServers } from '../support/databases.ts'
import { allPages, expectClose, projectWith, store } from '../support/known-traces.ts'
import { expectRefusal } from '../support/refusal.ts'
import {
  awkward,
  awkwardTraces,
  costsOf,
  firstMs,
  type KnownTrace,
  kept,
  metricsOf,
  type Parameters,
  performanceOf,
  type SentScore,
  select,
  toQuery,
} from '../support/trace-model.ts'

const count = 300
const traces = awkwardTraces(count)
const at = (ms: number) => new Date(firstMs + ms).toISOString()
const whole: Parameters = [
  ['start_date', '1960-01-01T00:00:00Z'],
  ['end_date', '2040-01-01T00:00:00Z'],
]
const scoreNames = ['tone', 'a b', 'a>b', 'Ünder_score%', 'x=y']

function scoresOf(index: number): SentScore[] {
  if (index % 6 > 0) return []
  const turn = index / 6
  const name = scoreNames[turn % scoreNames.length] as string
  const first = { name, value: (Math.floor(turn / 5) % 5) / 4 }
  return turn % 3 ? [first] : [first, { name, value: 0.5 }]
}

/** Characters that a query string can contain unencoded. */
const sayable = awkward.filter((text) => kept(text) === text)

const searches = [
  'über',
  'ÜBER',
  'STRAẞE',
  'straße',
  'Σ',
  'σίσυφοσ',
  'ΣΊΣΥΦΟΣ',
  'ς',
  'İ',
  'istanbul',
  'i\u0307stanbul',
  'ISLAK',
  '"',
  'a "quoted"',
  '\\',
  '\n',
  '\t',
  '\\n',
  'n',
  'line\nBREAK',
  '","output":"',
  '","model":',
  '{"INPUT":"x"',
  'only-in-metadata',
  '\\u0000',
  'u0000',
  'inside',
  'half a pair',
  'here',
  '%',
  '_',
  '🦉',
  'k is kelvin',
  '\u212a',
  '\ufffd',
  ' ',
  'neutral 1',
  '"model"',
]

const singles: Parameters[] = [
  [],
  [['status', 'error']],
  [['status', 'success']],
  ...(['model', 'version', 'environment', 'session_id', 'user_id', 'tag', 'attr.tier'] as const).flatMap(
    (name, i) => sayable.filter((_, j) => j % 3 === i % 3).map((value): Parameters => [[name, value]]),
  ),
  ...['nul\0', 'half\ud800'].flatMap((text): Parameters[] => [
    [['model', kept(text)]],
    [['session_id', kept(text)]],
    [['tag', kept(text)]],
    [['attr.tier', kept(text)]],
    [[`attr.${kept(text)}`, 'by key']],
  ]),
  ...sayable.slice(1).map((key): Parameters => [[`attr.${key}`, 'by key']]),
  ...['0', '1', '1.5', '-2', '1e+21', '0.1', '-0', '01'].map((n): Parameters => [['attr.n', n]]),
  [['attr.flag', 'true']],
  [['attr.flag', 'false']],
  [['attr.nested.deep.tier', 'alpha']],
  [['attr.nested.deep.', 'empty']],
  [['attr.list', 'alpha']],
  [['attr.nothing', 'null']],
  [['attr.tier', 'no such value']],
  [['attr.toString', 'alpha']],
  [
    ['tag', 'alpha'],
    ['tag', 'beta'],
  ],
  [
    ['tag', 'alpha'],
    ['tag', 'alpha'],
  ],
  [
    ['attr.tier', 'alpha'],
    ['attr.tier', 'beta'],
  ],
  [
    ['attr.tier', 'alpha'],
    ['attr.nested.deep.tier', 'beta'],
    ['tag', 'plain'],
  ],
  ...['0', '0.25', '100', '100.001', '1e-7'].flatMap((bound): Parameters[] => [
    [['min_latency_ms', bound]],
    [['max_latency_ms', bound]],
  ]),
  ...['0', '0.000001', '1e-6', '0.5', '7'].flatMap((bound): Parameters[] => [
    [['min_cost', bound]],
    [['max_cost', bound]],
  ]),
  ...searches.map((text): Parameters => [['q', text]]),
  ...scoreNames.flatMap((name) =>
    ['=', '>=', '<=', '>', '<'].map((comparison): Parameters => [[`score.${name}${comparison}`, '0.5']]),
  ),
  [
    ['score.tone>=', '0'],
    ['score.tone<', '1'],
  ],
  [['score.nobody>=', '0']],
  ...[-1, 0, 1, 59_999, 3_600_000, 86_400_000].flatMap((ms): Parameters[] => [
    [['start_date', at(ms)]],
    [['end_date', at(ms)]],
    [
      ['start_date', at(ms)],
      ['end_date', at(ms + 60_001)],
    ],
  ]),
  [['end_date', '1970-01-01T00:00:00Z']],
]

const combinations: Parameters[] = [
  [
    ['status', 'error'],
    ['model', 'alpha'],
  ],
  [
    ['model', 'alpha'],
    ['version', 'beta'],
    ['environment', 'plain'],
  ],
  [
    ['session_id', 'alpha'],
    ['user_id', 'beta'],
  ],
  [
    ['session_id', 'alpha'],
    ['q', 'done'],
  ],
  [
    ['user_id', 'alpha'],
    ['tag', 'beta'],
    ['status', 'success'],
  ],
  [
    ['tag', 'alpha'],
    ['min_latency_ms', '50'],
    ['max_latency_ms', '500'],
  ],
  [
    ['tag', 'plain'],
    ['attr.flag', 'true'],
    ['start_date', at(0)],
    ['end_date', at(28 * 86_400_000)],
  ],
  [
    ['q', 'e'],
    ['status', 'error'],
    ['min_cost', '0'],
    ['start_date', at(1)],
  ],
  [
    ['score.tone>=', '0.25'],
    ['status', 'success'],
    ['tag', 'alpha'],
  ],
  [
    ['model', 'beta'],
    ['start_date', at(59_999)],
    ['end_date', at(3_600_001)],
  ],
]

const filters = [...singles, ...combinations]
/** All combinations, and every `step`-th single filter. */
const some = (step: number) => [...singles.filter((_, i) => i % step === 0), ...combinations]
const label = (parameters: Parameters) => JSON.stringify(parameters.map(([n, v]) => [n, v.slice(0, 30)]))

/** A comparison is part of the parameter: `score.tone>=0.5` has no `=` of its own. */
function queryOf(filter: Parameters, encoded = true): string {
  const parts = filter.map(([name, value]) => {
    if (!name.startsWith('score.')) return toQuery([[name, value]])
    const text = `${name}${value}`
    return encoded ? encodeURIComponent(text) : text.replaceAll('%', '%25').replaceAll(' ', '%20')
  })
  return parts.join('&')
}

const withPeriod = (filter: Parameters) => [
  ...filter,
  ...whole.filter(([name]) => !filter.some(([given]) => given === name)),
]

describe.each(sharedServers)('filters of traces, on $database', ({ server }) => {
  let tenant: Tenant
  let base: string
  let known: KnownTrace[]

  beforeAll(async () => {
    tenant = await createTenant(server.url, ['ingest', 'read', 'write', 'admin'])
    base = `/v1/${tenant.projectId}`
    known = await store(tenant, traces, scoresOf)
    // Traces of another project, which no response may contain.
    const other = await createTenant(server.url)
    await store(other, traces.slice(0, 100))
  })

  const read = async (path: string, filter: Parameters) =>
    (await tenant.project.ok('GET', `${base}/analytics/${path}${queryOf(filter)}`)).body
  const idsOf = (rows: { trace_id: string }[]) => rows.map(({ trace_id }) => trace_id)
  /** Runs a check for every filter; returns the failed ones with the reason. */
  async function faults(
    filters: readonly Parameters[],
    check: (filter: Parameters, index: number) => unknown,
  ) {
    const found: string[] = []
    for (const [index, filter] of filters.entries()) {
      try {
        await check(filter, index)
      } catch (error) {
        found.push(`${label(filter)}: ${String(error).slice(0, 300)}`)
      }
    }
    return found
  }
  const expectedIds = (filter: Parameters) => select(known, filter).map(({ id }) => id)

  it('find the same traces as a search in all traces, newest first', async () => {
    let found = 0
    const wrong = await faults(filters, async (filter) => {
      const expected = expectedIds(filter)
      expect(idsOf(await read('traces?limit=1000&', filter))).toEqual(expected)
      if (expected.length > 0) found += 1
    })
    expect(wrong).toEqual([])
    expect(found).toBeGreaterThan(filters.length * 0.75)
  })

  it('give the same metrics, costs and performance as a computation over all traces', async () => {
    const wrong = await faults(some(3), async (filter) => {
      const expected = select(known, withPeriod(filter))
      const query = withPeriod(filter)
      const what = label(filter)
      const [metrics, costs, performance] = await Promise.all(
        ['metrics?', 'costs?', 'performance?'].map((path) => read(path, query)),
      )
      expectClose(metrics, metricsOf(expected), what)
      expectClose(costs, costsOf(expected), what)
      expectClose(performance, performanceOf(expected), what)
    })
    expect(wrong).toEqual([])
  })

  it('give time series with the same sums, also in groups', async () => {
    const wrong = await faults(some(4), async (filter, index) => {
      const expected = select(known, withPeriod(filter))
      const query = withPeriod(filter)
      const total = (series: { points: { value: number }[] }[]) =>
        series.flatMap(({ points }) => points).reduce((sum, { value }) => sum + value, 0)
      const { series } = await read('timeseries?interval=month&', query)
      expect(total(series), label(filter)).toBe(expected.length)
      const column = (['model', 'version', 'environment', 'status'] as const)[index % 4] as 'model'
      const grouped = await read(`timeseries?interval=month&limit=100&group_by=${column}&`, query)
      const carrying = expected.filter(({ sent }) => sent[column] !== undefined)
      expect(total(grouped.series), `${label(filter)} by ${column}`).toBe(carrying.length)
    })
    expect(wrong).toEqual([])
  })

  it('export the same traces in the same order, in every format', async () => {
    const wrong = await faults(some(4), async (filter, index) => {
      const expected = expectedIds(filter)
      const format = (['jsonl', 'csv', 'json'] as const)[index % 3]
      const path = `${base}/analytics/export?format=${format}&${queryOf(filter)}`
      const { text } = await tenant.project.ok('GET', path)
      const found =
        format === 'csv'
          ? parseCsv(text)
              .slice(1)
              .map(([id]) => id)
          : format === 'json'
            ? idsOf(JSON.parse(text))
            : text
                .split('\n')
                .slice(0, -1)
                .map((line) => JSON.parse(line).trace_id)
      expect(found, `${format} ${label(filter)}`).toEqual(expected)
    })
    expect(wrong).toEqual([])
  })

  it('list all matching traces in pages', async () => {
    const wrong = await faults(some(5), async (filter) => {
      const expected = expectedIds(filter)
      if (expected.length < 2) return
      const limit = 1 + Math.floor(expected.length / 4)
      const rows = await allPages(tenant, `${base}/analytics/traces?limit=${limit}&${queryOf(filter)}`)
      expect(idsOf(rows), label(filter)).toEqual(expected)
    })
    expect(wrong).toEqual([])
  })

  it('miss and repeat no trace in pages while traces are written', async () => {
    const { tenant: busy, known: before } = await projectWith(server.url, traces)
    const path = `/v1/${busy.projectId}`
    let written = 0
    const write = async () => {
      const sent = traces[written % count]
      const created_at = new Date(firstMs + 29 * 86_400_000 + written++).toISOString()
      await busy.project.ok('POST', `${path}/traces`, { ...sent, created_at })
    }
    for (const filter of [
      [['tag', 'alpha']],
      [
        ['status', 'error'],
        ['min_cost', '0'],
      ],
      [['q', 'e']],
      [['session_id', 'alpha']],
      [
        ['attr.flag', 'true'],
        ['model', 'alpha'],
      ],
    ] satisfies Parameters[]) {
      const rows = await allPages(busy, `${path}/analytics/traces?limit=5&${queryOf(filter)}`, write)
      const ids = idsOf(rows)
      expect(new Set(ids).size).toBe(ids.length)
      const expected = select(before, filter).map(({ id }) => id)
      expect(expected.length, label(filter)).toBeGreaterThan(5)
      const known = new Set(before.map(({ id }) => id))
      expect(ids.filter((id) => known.has(id))).toEqual(expected)
    }
    expect(written).toBeGreaterThan(10)
  })

  it('accept score comparisons in every form, encoded or not', async () => {
    for (const name of scoreNames.filter((each) => each !== 'x=y')) {
      for (const comparison of ['=', '>=', '<=', '>', '<']) {
        const filter: Parameters = [[`score.${name}${comparison}`, '0.5']]
        const expected = expectedIds(filter)
        for (const encoded of [true, false]) {
          const { body } = await tenant.project.ok(
            'GET',
            `${base}/analytics/traces?limit=1000&${queryOf(filter, encoded)}`,
          )
          expect(idsOf(body), `${name}${comparison} ${encoded}`).toEqual(expected)
        }
      }
    }
    // As URLSearchParams encodes it: the name, an equals sign, the value.
    const { body } = await tenant.project.ok('GET', `${base}/analytics/traces?limit=1000&score.tone%3E=0.5`)
    expect(idsOf(body)).toEqual(expectedIds([['score.tone>=', '0.5']]))
  })

  it('delete exactly the traces that they find, in every view', async () => {
    const kinds = [
      [['session_id', '']],
      [['version', 'y'.repeat(3500)]],
      [['tag', 'alpha']],
      [['attr.tier', 'beta']],
      [['q', 'über']],
      [
        ['status', 'error'],
        ['max_latency_ms', '100'],
      ],
      [['score.tone>', '0.25']],
      [
        ['start_date', at(0)],
        ['end_date', at(3_600_000)],
      ],
    ] satisfies Parameters[]
    const target = await createTenant(server.url, ['ingest', 'read', 'write', 'admin'])
    let left = await store(target, traces, scoresOf)
    const path = `/v1/${target.projectId}`
    for (const filter of kinds) {
      const gone = new Set(select(left, filter).map(({ id }) => id))
      expect(gone.size, label(filter)).toBeGreaterThan(0)
      const { body } = await target.project.ok('DELETE', `${path}/traces?${queryOf(filter)}`)
      expect(body, label(filter)).toEqual({ success: true, deleted: gone.size })
      left = left.filter(({ id }) => !gone.has(id))
      const list = await target.project.ok('GET', `${path}/analytics/traces?limit=1000`)
      expect(idsOf(list.body), label(filter)).toEqual(select(left, []).map(({ id }) => id))
      const metrics = await target.project.ok('GET', `${path}/analytics/metrics?${toQuery(whole)}`)
      expectClose(metrics.body, metricsOf(select(left, whole)), label(filter))
    }
  })

  it.each([
    ['min_latency_ms=x', 'min_latency_ms'],
    ['min_latency_ms=', 'min_latency_ms'],
    ['min_latency_ms=NaN', 'min_latency_ms'],
    ['min_latency_ms=Infinity', 'min_latency_ms'],
    ['min_latency_ms=0x10', 'min_latency_ms'],
    ['min_latency_ms=1&min_latency_ms=2', 'min_latency_ms'],
    [`max_latency_ms=${'9'.repeat(400)}`, 'max_latency_ms'],
    ['max_latency_ms=x', 'max_latency_ms'],
    ['min_latency_ms=5&max_latency_ms=4.9', 'min_latency_ms'],
    ['min_cost=free', 'min_cost'],
    ['max_cost=free', 'max_cost'],
    ['min_cost=5&max_cost=4.9', 'min_cost'],
    ['status=done', 'status'],
    ['status=', 'status'],
    ['model=a&model=b', 'model'],
    ['model=a%00b', 'model'],
    ['session_id=%00', 'session_id'],
    ['q=a%00b', 'q'],
    [`q=${'x'.repeat(1001)}`, 'q'],
    ['tag=a%00', 'tag'],
    [Array.from({ length: 21 }, (_, i) => `tag=${i}`).join('&'), 'tag'],
    ['attr.=1', 'attr.'],
    ['attr=1&attr.=', 'attr.'],
    ['score.x=', 'score.'],
    ['score.x', 'score.'],
    ['score.=1', 'score.'],
    ['score.x>', 'score.'],
    ['score.x=high', 'score.'],
    ['score.x=1e999', 'score.'],
    ['score.x%3E%3D', 'score.'],
    ['start_date=yesterday', 'start_date'],
    ['start_date=', 'start_date'],
    ['start_date=2024-02-30', 'start_date'],
    ['start_date=1709251200', 'start_date'],
    ['end_date=2024-01-01T25:00:00Z', 'end_date'],
    ['start_date=2024-01-02&end_date=2024-01-01', 'start_date'],
    ['start_date=2024-01-01&start_date=2024-01-02', 'start_date'],
  ])('reject %s, naming the field, on every route', async (query, names) => {
    for (const path of [
      'traces',
      'metrics',
      'costs',
      'performance',
      'timeseries',
      'scores',
      'sessions',
      'export',
    ]) {
      const answer = await tenant.project.get(`${base}/analytics/${path}?${query}`)
      expectRefusal(answer, { status: 400, project: true, names }, `${path}?${query.slice(0, 50)}`)
    }
    const answer = await tenant.project.call('DELETE', `${base}/traces?${query}`)
    expectRefusal(answer, { status: 400, project: true, names }, query)
  })

  it.each([
    ['cursor=garbage', 'cursor'],
    ['cursor=', 'cursor'],
    ['cursor=%00', 'cursor'],
    [`cursor=${Buffer.from('1.trc_x').toString('base64url')}`, 'cursor'],
    [`cursor=${Buffer.from("1.trc_' or 1=1").toString('base64url')}`, 'cursor'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=', 'limit'],
  ])('reject %s in both lists', async (query, names) => {
    for (const path of ['traces', 'sessions']) {
      const answer = await tenant.project.get(`${base}/analytics/${path}?${query}`)
      expectRefusal(answer, { status: 400, project: true, names }, path)
    }
  })

  it('never cause a 500 with very many filters', async () => {
    for (const many of ['attr.a=1&', 'score.a=1&']) {
      const query = many.repeat(Math.floor(14_000 / many.length))
      for (const path of ['traces', 'metrics', 'sessions']) {
        const { status } = await tenant.project.get(`${base}/analytics/${path}?${query}limit=5`)
        expect(status, `${many} ${path}`).toBe(400)
      }
    }
  })
})
