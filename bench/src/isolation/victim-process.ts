import { setTimeout as pause } from 'node:timers/promises'
import { quantile, round } from '../support/results.ts'
import { traceBody } from '../support/traces.ts'
import { type Answer, call, fileBody, inChat, inProject, jsonBody, type Target } from './client.ts'

/** The requests of a quiet tenant and their rates. */
const habits = {
  trace: { perSecond: 10, send: (target, number) => inProject(target, 'POST', 'traces', traceOf(number)) },
  list: { perSecond: 5, send: (target) => inProject(target, 'GET', 'analytics/traces') },
  metrics: { perSecond: 4, send: (target) => inProject(target, 'GET', 'analytics/metrics') },
  question: { perSecond: 3, send: (target) => inChat(target, 'POST', 'answer_question', asked) },
  upload: { perSecond: 0.5, send: (target) => inChat(target, 'POST', 'upload_with_scopes', noteOf()) },
  // The period has no traces, but the export still needs a place.
  export: {
    perSecond: 0.5,
    send: (target) => inProject(target, 'GET', 'analytics/export?session_id=nobody'),
  },
  health: { perSecond: 2, send: (target) => call(target.url, 'GET', '/v1/health', {}) },
} satisfies Record<string, { perSecond: number; send(target: Target, number: number): Promise<Answer> }>

export type Habit = keyof typeof habits

interface Measured {
  count: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** Number of unsuccessful requests, and the response to the first of them. */
  errors: number
  firstError: string | undefined
}

export type Measures = Record<Habit, Measured>

export interface VictimTask {
  target: Target
  seconds: number
  /** Factor on the usual rates. */
  pace: number
}

const patienceMs = 30_000
const asked = jsonBody({ question: 'What does the gauge on the north pier show?' })
let notes = 0

function traceOf(number: number) {
  return jsonBody(traceBody(number))
}

function noteOf() {
  notes++
  return fileBody(
    'note.txt',
    `Note ${process.pid}-${notes}. The gauge on the north pier shows ${notes} metres.`,
  )
}

/** Sends requests at a constant rate, whether or not earlier ones were answered. */
async function follow(habit: Habit, { target, seconds, pace }: VictimTask): Promise<Measured> {
  const { send } = habits[habit]
  const perSecond = habits[habit].perSecond * pace
  const times: number[] = []
  const errors: string[] = []
  const start = performance.now()
  const one = async (number: number) => {
    const due = start + (number * 1000) / perSecond
    await pause(Math.max(0, due - performance.now()))
    const late = pause(patienceMs, { status: 0, text: 'no answer within 30 s' }, { ref: false })
    const { status, text } = await Promise.race([send(target, number), late])
    times.push(performance.now() - due)
    if (status < 200 || status > 299) errors.push(`${status} ${text.slice(0, 120)}`)
  }
  await Promise.all(Array.from({ length: Math.ceil(perSecond * seconds) }, (_, number) => one(number)))
  const sorted = Float64Array.from(times).sort()
  return {
    count: sorted.length,
    p50Ms: round(quantile(sorted, 0.5), 1),
    p99Ms: round(quantile(sorted, 0.99), 1),
    maxMs: round(sorted.at(-1) ?? 0, 1),
    errors: errors.length,
    firstError: errors[0],
  }
}

process.on('message', async (task: VictimTask) => {
  const names = Object.keys(habits) as Habit[]
  const measured = await Promise.all(names.map(async (habit) => [habit, await follow(habit, task)]))
  process.send?.(Object.fromEntries(measured))
})

// The process must end with the benchmark.
process.on('disconnect', () => process.exit())
