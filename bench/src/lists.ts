import { text } from 'node:stream/consumers'
import { open, read, timeRequests } from './support/requests.ts'
import type { Row } from './support/results.ts'
import { manyTraces, seededDays } from './support/seed.ts'
import { ofDay, rareWord, seedTrace, userDays, values } from './support/seed-traces.ts'
import { periodOf, type SeededSource, spread, withSeeded } from './support/seeded-server.ts'

type PathOf = (index: number) => string

/** A value of an existing trace, different for each request. */
function anyOf(field: 'session_id' | 'user_id'): PathOf {
  return (index) => {
    const number = Math.floor(spread(index + 1) * (manyTraces / seededDays))
    const value = seedTrace(number, 0)[field] ?? ''
    return `analytics/traces?${field}=${value.replace(ofDay(0), ofDay(index % userDays))}`
  }
}

const lists: Record<string, PathOf> = {
  'newest 100': () => 'analytics/traces',
  'status=success': () => 'analytics/traces?status=success',
  'status=error': () => 'analytics/traces?status=error',
  'common model': () => `analytics/traces?model=${values.model[0]}`,
  'rare model': () => `analytics/traces?model=${values.model.at(-1)}`,
  'unknown model': () => `analytics/traces?model=nowhere`,
  'common version': () => `analytics/traces?version=${values.version[0]}`,
  'rare version': () => `analytics/traces?version=${values.version.at(-1)}`,
  'common environment': () => `analytics/traces?environment=${values.environment[0]}`,
  'common tag': () => `analytics/traces?tag=${values.tag[0]}`,
  'rare tag': () => `analytics/traces?tag=${values.tag.at(-1)}`,
  attribute: (index) => `analytics/traces?attr.customer=${values.customer[index]}`,
  'any session': anyOf('session_id'),
  'any user': anyOf('user_id'),
  sessions: () => 'analytics/sessions',
}

const pageNumber = 50
const paged = ['newest 100', 'status=error', 'common model', 'common version', 'common tag', 'sessions']

/** The path of a later page of a list. */
async function turnTo(source: SeededSource, path: string, page: number): Promise<string> {
  let next = path
  for (let turned = 1; turned < page; turned++) {
    const { headers } = await read(source, next)
    next = `${path}${path.includes('?') ? '&' : '?'}cursor=${headers['x-next-cursor']}`
  }
  return next
}

async function listRow(source: SeededSource, what: string, path: PathOf): Promise<Row[]> {
  const [timing] = await timeRequests([source], (_, index) => path(index))
  const rows = manyTraces
  return [
    { what: `${what}, p50`, value: timing?.p50Ms ?? Number.NaN, unit: 'ms', rows },
    { what: `${what}, p95`, value: timing?.p95Ms ?? Number.NaN, unit: 'ms', bar: { max: 15 }, rows },
  ]
}

/** Reads the traces of the first page one by one. The project has many scores, and each trace has few. */
async function traceRows(source: SeededSource): Promise<Row[]> {
  const page = JSON.parse(await text(await open(source, 'analytics/traces'))) as { trace_id: string }[]
  return listRow(source, 'one trace', (index) => `analytics/traces/${page[index % page.length]?.trace_id}`)
}

/** Text search over a period of 100,000 traces, for a rare word and for a missing word. */
async function searchRows(source: SeededSource): Promise<Row[]> {
  const rows: Row[] = []
  for (const [what, word] of [
    ['a rare word', rareWord],
    ['no hit', 'quetzalcoatl'],
  ]) {
    const [timing] = await timeRequests(
      [source],
      (_, index) => `analytics/traces?q=${word}&${periodOf(source.data, 100_000, spread(index))}`,
      { count: 20, warmUp: 2 },
    )
    const named = `search for ${what}, period of 100,000`
    rows.push(
      { what: `${named}, p50`, value: timing?.p50Ms ?? Number.NaN, unit: 'ms', rows: manyTraces },
      {
        what: `${named}, p95`,
        value: timing?.p95Ms ?? Number.NaN,
        unit: 'ms',
        bar: { max: 1000 },
        rows: manyTraces,
      },
    )
  }
  return rows
}

export async function benchLists(): Promise<Row[]> {
  return withSeeded(manyTraces, async (source) => {
    const rows: Row[] = []
    for (const [what, path] of Object.entries(lists)) rows.push(...(await listRow(source, what, path)))
    for (const what of paged) {
      const later = await turnTo(source, lists[what]?.(0) ?? '', pageNumber)
      rows.push(...(await listRow(source, `${what}, page ${pageNumber}`, () => later)))
    }
    return [...rows, ...(await traceRows(source)), ...(await searchRows(source))]
  })
}
