import { setTimeout as pause } from 'node:timers/promises'
import { Attacker, Victim } from './isolation/actors.ts'
import type { Outcomes } from './isolation/attacker-process.ts'
import { attacks } from './isolation/attacks.ts'
import { inProject } from './isolation/client.ts'
import { type Stage, Theatre } from './isolation/stage.ts'
import type { Habit, Measures } from './isolation/victim-process.ts'
import { type Footprint, footprint, watchMemory } from './isolation/watch.ts'
import { type Row, round } from './support/results.ts'

const warmUpSeconds = 3
const quietSeconds = 8
const attackSeconds = Number(process.env.CAIRN_BENCH_ATTACK_SECONDS ?? 10)
/** From the end of an attack to the look at what it has left behind. */
const settleSeconds = 10

/** What is bound to the bars; health is shown beside them. */
const barred: readonly Habit[] = ['trace', 'list', 'metrics', 'question']
const maxMs = 250
const maxRatio = 5
const maxUploadMs = 5000
const maxProcessMb = 1000
const maxGrowth = 1.2

interface Result {
  quiet: Measures
  attacked: Measures
  outcomes: Outcomes
  most: Pick<Footprint, 'processMb' | 'allMb'>
  before: Footprint
  after: Footprint
  restarts: number
  errorLines: number
  isAlive: boolean
  /** Status of the victim's export ten seconds after the attack. */
  exportStatus: number
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function measure(stage: Stage, name: string): Promise<Result> {
  const { server, victim: target } = stage
  const victim = new Victim(target)
  const attacker = new Attacker(name, stage.attacker)
  const look = () => footprint(server.pid, stage.serverPid())
  try {
    await attacker.prepare()
    await victim.measure(warmUpSeconds)
    const quiet = await victim.measure(quietSeconds)
    const before = look()
    const most = watchMemory(server.pid, stage.serverPid)
    attacker.begin()
    await pause(1000)
    const measuring = victim.measure(attackSeconds)
    await pause(attackSeconds * 1000)
    const outcomes = await attacker.outcomes()
    await attacker.end()
    const settled = pause(settleSeconds * 1000)
    const attacked = await measuring
    await settled
    const peak = most()
    const late = pause(10_000, { status: 0 }, { ref: false })
    const { status } = await Promise.race([inProject(target, 'GET', 'analytics/export?limit=1'), late])
    const isAlive = isRunning(stage.serverPid())
    const after = look()
    const [restarts, errorLines] = [stage.restarts(), stage.errorLines()]
    const [counts, exportStatus] = [{ restarts, errorLines }, status]
    return { quiet, attacked, outcomes, most: peak, before, after, ...counts, isAlive, exportStatus }
  } finally {
    await Promise.all([attacker.end(), victim.end()])
  }
}

function errorsOf({ attacked }: Result): number {
  return Object.values(attacked).reduce((sum, { errors }) => sum + errors, 0)
}

/** What an attack has left in the server, in words. */
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

function toRows(name: string, result: Result): Row[] {
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

function toLine(name: string, result: Result): string {
  const { quiet, attacked, most, before, after, outcomes } = result
  const times = barred.map((habit) => {
    const [a, b] = [quiet[habit], attacked[habit]]
    return `${a.p50Ms}/${a.p99Ms} → ${b.p50Ms}/${b.p99Ms}`
  })
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
      leftBehind(result).join(', '),
      errors && `first error: ${errors}`,
      `attacker: ${JSON.stringify(outcomes)}`,
    ]
      .filter(Boolean)
      .join('; '),
  ]
  return line(cells)
}

/**
 * One tenant attacks, another one works: its figures with and without the attack, and what the attack leaves behind. The
 * words name attacks, all without any; `--postgres` takes that database.
 */
export async function benchIsolation(words: readonly string[]): Promise<Row[]> {
  const names = words.filter((word) => word !== '--postgres')
  const unknown = names.filter((name) => !Object.hasOwn(attacks, name))
  if (unknown.length > 0) {
    throw new Error(`no such attack: ${unknown.join(', ')}; there are ${Object.keys(attacks).join(', ')}`)
  }
  const theatre = await Theatre.build(words.includes('--postgres'))
  const rows: Row[] = []
  console.log('p50/p99 in ms, quiet → attacked; memory in MB, process/all')
  console.log(line(['attack', ...barred, 'health', 'upload', 'errors', 'memory', 'after', 'left behind']))
  try {
    for (const name of names.length > 0 ? names : Object.keys(attacks)) {
      const stage = await theatre.open(attacks[name]?.env)
      try {
        const result = await measure(stage, name)
        console.log(toLine(name, result))
        rows.push(...toRows(name, result))
      } catch (error) {
        console.log(`${name}: ${(error as Error).message}`)
        rows.push({ what: `${name}: could not be measured`, value: 1, unit: '', bar: { max: 0 } })
      } finally {
        await stage.stop()
      }
    }
  } finally {
    await theatre.close()
  }
  return rows
}
