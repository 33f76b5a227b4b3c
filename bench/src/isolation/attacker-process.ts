import { setTimeout as pause } from 'node:timers/promises'
import { attacks } from './attacks.ts'
import type { Target } from './client.ts'

export interface AttackerTask {
  /** First `prepare`, then `start`; `count` requests the outcomes. */
  step: 'prepare' | 'start' | 'count'
  attack: string
  target: Target
}

/** Number of rounds by status; 0 means that the connection failed. */
export type Outcomes = Record<string, number>

const outcomes: Outcomes = {}

/** Error responses come immediately. Without a pause, the client would load the machine more than the server does. */
const restMs = 10

async function loop(task: AttackerTask, number: number): Promise<void> {
  const attack = attacks[task.attack]
  for (let round = 0; attack; round++) {
    const status = await attack.round(task.target, number, round).catch(() => 0)
    const name = String(status ?? 'sent')
    outcomes[name] = (outcomes[name] ?? 0) + 1
    if (status !== undefined && (status < 200 || status > 299)) await pause(restMs)
  }
}

process.on('message', async (task: AttackerTask) => {
  const attack = attacks[task.attack]
  if (!attack) throw new Error(`no such attack: ${task.attack}`)
  if (task.step === 'count') process.send?.(outcomes)
  if (task.step === 'start') for (let at = 0; at < attack.atOnce; at++) void loop(task, at)
  if (task.step === 'prepare') {
    const error = await attack.prepare?.(task.target).catch((reason: Error) => reason)
    process.send?.({ error: error?.message })
  }
})

// The process must end with the benchmark.
process.on('disconnect', () => process.exit())
