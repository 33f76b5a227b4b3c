import { setTimeout as pause } from 'node:timers/promises'
import { Attacker, Victim } from './isolation/actors.ts'
import { attacks } from './isolation/attacks.ts'
import { inProject } from './isolation/client.ts'
import { headLine, type Result, toLine, toRows } from './isolation/result.ts'
import { type Stage, Theatre } from './isolation/stage.ts'
import { footprint, watchMemory } from './isolation/watch.ts'
import type { Row } from './support/results.ts'

const warmUpSeconds = 3
/** Warm-up at this pace, because a new server grows even without an attack. */
const warmUpPace = 5
const quietSeconds = Number(process.env.CAIRN_BENCH_QUIET_SECONDS ?? 20)
const attackSeconds = Number(process.env.CAIRN_BENCH_ATTACK_SECONDS ?? 30)
/** Time between the end of an attack and the count of its leftovers. */
const settleSeconds = 10

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
    await victim.measure(warmUpSeconds, warmUpPace)
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

/**
 * One tenant attacks while another one works. Reports the figures of the second tenant with and without the attack, and
 * the leftovers of the attack. `words` are names of attacks, by default all; `--postgres` selects that database.
 */
export async function benchIsolation(words: readonly string[]): Promise<Row[]> {
  const names = words.filter((word) => word !== '--postgres')
  const unknown = names.filter((name) => !Object.hasOwn(attacks, name))
  if (unknown.length > 0) {
    throw new Error(`no such attack: ${unknown.join(', ')}; there are ${Object.keys(attacks).join(', ')}`)
  }
  const theatre = await Theatre.build(words.includes('--postgres'))
  const rows: Row[] = []
  console.log(headLine)
  try {
    for (const name of names.length > 0 ? names : Object.keys(attacks)) {
      const stage = await theatre.open(attacks[name]?.env)
      try {
        const result = await measure(stage, name)
        const own = toRows(name, result)
        console.log(toLine(name, result, own))
        rows.push(...own)
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
