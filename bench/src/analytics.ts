import { type Timing, timeRequests } from './support/requests.ts'
import { type Row, round } from './support/results.ts'
import { fewTraces, manyTraces } from './support/seed.ts'
import { values } from './support/seed-traces.ts'
import { period, periodOf, type SeededSource, spread, withSeeded } from './support/seeded-server.ts'

const dayMs = 24 * 60 * 60 * 1000
const slowMs = 1000

/** One value of each dimension that has rollups: the second most common value. */
const filters = [
  '',
  `model=${values.model[1]}`,
  `version=${values.version[1]}`,
  'status=error',
  `environment=${values.environment[1]}`,
  `tag=${values.tag[1]}`,
]
const dimensions = ['model', 'version', 'status', 'environment', 'tag']

interface Case {
  what: string
  path: string
}

function summaryCases(): Case[] {
  return ['metrics', 'costs', 'performance'].flatMap((route) =>
    filters.map((filter) => ({ what: `${route} ${filter}`.trim(), path: `analytics/${route}?${filter}` })),
  )
}

function seriesCases(): Case[] {
  const cuts = [...filters, ...dimensions.map((dimension) => `group_by=${dimension}`)]
  return ['hour', 'day'].flatMap((interval) =>
    ['traces', 'p95_latency_ms'].flatMap((metric) =>
      cuts.map((cut) => ({
        what: `series of ${metric} by ${interval} ${cut}`.trim(),
        path: `analytics/timeseries?interval=${interval}&metric=${metric}&${cut}`,
      })),
    ),
  )
}

/** A period of one to thirty days with odd milliseconds at both ends, different for each request. */
function anyPeriod({ fromMs, toMs }: SeededSource['data'], index: number): string {
  const length = dayMs + spread(index) * (toMs - fromMs - dayMs)
  const end = toMs - spread(index * 7 + 3) * (toMs - fromMs - length)
  return period(Math.floor(end - length), Math.floor(end))
}

function rowsOf(what: string, many: Timing, few: Timing): Row[] {
  const rows = manyTraces
  const ratio = (pick: (timing: Timing) => number) => round(pick(many) / pick(few), 2)
  return [
    { what: `${what}, p50`, value: many.p50Ms, unit: 'ms', rows },
    { what: `${what}, p95`, value: many.p95Ms, unit: 'ms', bar: { max: 10 }, rows },
    { what: `${what}, p50 ÷ at ${fewTraces}`, value: ratio((t) => t.p50Ms), unit: '', bar: { max: 2 }, rows },
    { what: `${what}, p95 ÷ at ${fewTraces}`, value: ratio((t) => t.p95Ms), unit: '', bar: { max: 2 }, rows },
  ]
}

async function flatRows(many: SeededSource, few: SeededSource): Promise<Row[]> {
  const rows: Row[] = []
  for (const { what, path } of [...summaryCases(), ...seriesCases()]) {
    const [ofMany, ofFew] = await timeRequests(
      [many, few],
      (source, index) => `${path}&${anyPeriod(source === many ? many.data : few.data, index)}`,
    )
    if (ofMany && ofFew) rows.push(...rowsOf(what, ofMany, ofFew))
  }
  return rows
}

/** Filters without rollups, over a period with a million traces. */
const scans: Case[] = [
  { what: 'metrics by two filters', path: `analytics/metrics?model=${values.model[1]}&status=error` },
  {
    what: 'metrics by two common filters',
    path: `analytics/metrics?environment=production&status=success`,
  },
  { what: 'metrics by two tags', path: `analytics/metrics?tag=${values.tag[0]}&tag=${values.tag[1]}` },
  { what: 'metrics min_latency_ms', path: 'analytics/metrics?min_latency_ms=2000' },
  { what: 'performance min_latency_ms', path: 'analytics/performance?min_latency_ms=100' },
  { what: 'metrics by an attribute', path: `analytics/metrics?attr.customer=${values.customer[7]}` },
  { what: 'metrics by a common attribute', path: `analytics/metrics?attr.tier=${values.tier[0]}` },
  { what: 'metrics by a score', path: 'analytics/metrics?score.helpful>=0.8' },
  {
    what: 'series by status of one model',
    path: `analytics/timeseries?interval=hour&group_by=status&model=${values.model[1]}`,
  },
  {
    what: 'series by tag of one status',
    path: 'analytics/timeseries?interval=hour&group_by=tag&status=error',
  },
  {
    what: 'series by an attribute',
    path: 'analytics/timeseries?interval=hour&group_by=attr.tier',
  },
  { what: 'score averages', path: 'analytics/scores?interval=day' },
]

async function scanRows(source: SeededSource): Promise<Row[]> {
  const rows: Row[] = []
  for (const { what, path } of scans) {
    const [timing] = await timeRequests(
      [source],
      (_, index) => `${path}&${periodOf(source.data, 1_000_000, spread(index))}`,
      { count: 10, warmUp: 2 },
    ).catch((error: Error) => {
      console.error(error.message)
      return [{ p50Ms: Number.NaN, p95Ms: Number.NaN }]
    })
    const over = `${what}, period of 1,000,000`
    rows.push(
      { what: `${over}, p50`, value: timing?.p50Ms ?? Number.NaN, unit: 'ms', rows: manyTraces },
      {
        what: `${over}, slowest of 10`,
        value: timing?.p95Ms ?? Number.NaN,
        unit: 'ms',
        bar: { max: slowMs },
        rows: manyTraces,
      },
    )
  }
  return rows
}

export async function benchAnalytics(): Promise<Row[]> {
  return withSeeded(manyTraces, (many) =>
    withSeeded(fewTraces, async (few) => [...(await flatRows(many, few)), ...(await scanRows(many))]),
  )
}
