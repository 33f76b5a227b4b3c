import { isMet, type Row, round } from '../support/results.ts'
import type { Outcomes } from './attacker-process.ts'
import type { Habit, Measures } from './victim-process.ts'
import type { Footprint } from './watch.ts'

/** Requests with bars; the health request is only displayed. */
const barred: readonly Habit[] = ['trace', 'list', 'metrics', 'question']
const maxMs = 250
const maxRatio = 5
const maxUploadMs = 5000
const maxProcessMb = 1000
const maxGrowth = 1.2

export interface Result {
  quiet: Measures
  attacked: Measures
  outcomes: Outcomes
  most: Pick<Footprint, 'processMb' | 'allMb'>
  before: Footprint
  after: Footprint
  restarts: number
  errorLines: number
  isAlive: boolean
  /** HTTP status of the victim's export, ten seconds after the attack. */
  exportStatus: number
}

function errorsOf({ attacked }: Result): number {
  return Object.values(attacked).reduce((sum, { errors }) => sum + errors, 0)
}

/** Describes the leftovers of an attack in the server. */
function leftBehind({ before, after, exportStatus, isAlive, restarts, errorLines }: Result): string[] {
  if (!isAlive) return ['the server has died']
  const left: string[] = restarts > 0 ? [`${restarts} restarts of the server`] : []
  if (errorLines > 0) left.push(`${errorLines} errors in the log`)
  if (exportStatus !== 200) left.push(`an export gets ${exportStatus}`)
  for (const what of ['threads', 'processes'] as const) {
    const more = after[what] - before[what]
    if (more > 0) left.push(`${more} ${what}`)
  }
  if (after.files > before.files + 10) left.push(`${after.files - before.files} open files`)
  return left
}

/** The figures of an attack, compared with their bars. */
export function toRows(name: string, result: Result): Row[] {
  const { quiet, attacked, most, before, after } = result
  const times = barred.map((habit) => {
    const max = round(Math.min(maxMs, maxRatio * quiet[habit].p99Ms), 1)
    const what = `${name}: ${habit}, p99 (quiet ${quiet[habit].p99Ms} ms)`
    return { what, value: attacked[habit].p99Ms, unit: 'ms', bar: { max } }
  })
  return [
    ...times,
    { what: `${name}: health, p99`, value: attacked.health.p99Ms, unit: 'ms' },
    { what: `${name}: slowest upload`, value: attacked.upload.maxMs, unit: 'ms', bar: { max: maxUploadMs } },
    { what: `${name}: errors of the victim`, value: errorsOf(result), unit: '', bar: { max: 0 } },
    {
      what: `${name}: most memory, process`,
      value: most.processMb,
      unit: 'MB',
      bar: { max: maxProcessMb },
    },
    { what: `${name}: most memory, all processes`, value: most.allMb, unit: 'MB' },
    {
      what: `${name}: memory after ÷ before (${before.allMb} MB)`,
      value: round(after.allMb / before.allMb, 2),
      unit: '',
      bar: { max: maxGrowth },
    },
    { what: `${name}: things left behind`, value: leftBehind(result).length, unit: '', bar: { max: 0 } },
  ]
}

const columns = [20, ...barred.map(() => 24), 8, 8, 7, 12, 8]

function line(cells: readonly string[]): string {
  return cells.map((cell, at) => cell.padEnd(columns[at] ?? 0)).join(' ')
}

export const headLine = `p50/p99 in ms, quiet → attacked; memory in MB, process/all
${line(['attack', ...barred, 'health', 'upload', 'errors', 'memory', 'after'])} verdict`

/** The figures as one line of the table. */
export function toLine(name: string, result: Result, rows: readonly Row[]): string {
  const { quiet, attacked, most, before, after, outcomes } = result
  const times = barred.map((habit) => {
    const [a, b] = [quiet[habit], attacked[habit]]
    return `${a.p50Ms}/${a.p99Ms} → ${b.p50Ms}/${b.p99Ms}`
  })
  const misses = rows
    .filter((row) => !isMet(row))
    .map(({ what }) => what.slice(name.length + 2).split(/,| \(/)[0])
  const errors = Object.values(attacked).find(({ firstError }) => firstError !== undefined)?.firstError
  const cells = [
    name,
    ...times,
    String(round(attacked.health.maxMs)),
    String(round(attacked.upload.maxMs)),
    String(errorsOf(result)),
    `${most.processMb}/${most.allMb}`,
    `× ${round(after.allMb / before.allMb, 2)}`,
    [
      misses.length === 0 ? 'meets all bars' : `misses ${misses.join(', ')}`,
      leftBehind(result).join(', '),
      errors && `first error: ${errors}`,
      `attacker: ${JSON.stringify(outcomes)}`,
    ]
      .filter(Boolean)
      .join('; '),
  ]
  return line(cells)
}
