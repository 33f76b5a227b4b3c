import { setTimeout as pause } from 'node:timers/promises'
import { Attacker, Victim } from './isolation/actors.ts'
import { createTarget, type Stage, Theatre } from './isolation/stage.ts'
import { footprint } from './isolation/watch.ts'
import { median, type Row, round } from './support/results.ts'

const sampleSeconds = 5
const roundSeconds = 30
const maxGrowth = 1.15

/** Attacks that store little, used in turn, so that memory does not grow because of stored data. */
const mild = [
  'search-4',
  'exports',
  'questions-large',
  'judging',
  'metrics-attribute',
  'streams-unread',
  'exports-vanish',
  'test-runs',
  'sessions-search',
  'pdf-forms',
]

interface Sample {
  processMb: number
  allMb: number
}

async function attackInTurn(stage: Stage, untilMs: number): Promise<void> {
  for (let at = 0; Date.now() < untilMs; at++) {
    const name = mild[at % mild.length] ?? ''
    console.log(`attack: ${name}`)
    const attacker = new Attacker(name, stage.attacker)
    await attacker.prepare()
    attacker.begin()
    await pause(Math.min(roundSeconds * 1000, Math.max(0, untilMs - Date.now())))
    await attacker.end()
  }
}

async function work(victim: Victim, untilMs: number): Promise<{ requests: number; errors: number }> {
  const sum = { requests: 0, errors: 0 }
  while (Date.now() < untilMs) {
    const measures = await victim.measure(Math.min(roundSeconds, (untilMs - Date.now()) / 1000))
    for (const [habit, { count, errors, firstError }] of Object.entries(measures)) {
      if (firstError !== undefined) console.log(`${errors} of ${count} × ${habit}: ${firstError}`)
      sum.requests += count
      sum.errors += errors
    }
  }
  return sum
}

async function sample(stage: Stage, untilMs: number): Promise<Sample[]> {
  const samples: Sample[] = []
  while (Date.now() < untilMs) {
    const { processMb, allMb } = footprint(stage.server.pid, stage.serverPid())
    samples.push({ processMb, allMb })
    if ((samples.length * sampleSeconds) % 60 === 0) console.log(`${processMb} MB, with children ${allMb} MB`)
    await pause(sampleSeconds * 1000)
  }
  return samples
}

function thirds(samples: readonly Sample[], field: keyof Sample): [number, number, number] {
  const third = Math.floor(samples.length / 3)
  const of = (from: number) => median(samples.slice(from, from + third).map((each) => each[field]))
  return [of(0), of(third), of(samples.length - third)]
}

/** Mixed load of several tenants; one tenant attacks. `words`: minutes (default 30) and `--postgres`. */
export async function benchSoak(words: readonly string[]): Promise<Row[]> {
  const minutes = Number(words.find((word) => !word.startsWith('-')) ?? 30)
  if (!(minutes > 0)) throw new Error(`minutes must be a number above 0, not ${words.join(' ')}`)
  const theatre = await Theatre.build(words.includes('--postgres'))
  const stage = await theatre.open()
  try {
    const others = [await createTarget(stage.server.url), await createTarget(stage.server.url)]
    const victims = [stage.victim, ...others].map((target) => new Victim(target))
    const untilMs = Date.now() + minutes * 60_000
    const [samples, , ...sums] = await Promise.all([
      sample(stage, untilMs),
      attackInTurn(stage, untilMs),
      ...victims.map((victim) => work(victim, untilMs)),
    ])
    await Promise.all(victims.map((victim) => victim.end()))
    const [first, middle, last] = thirds(samples, 'processMb')
    const [, middleAll, lastAll] = thirds(samples, 'allMb')
    const total = (field: 'requests' | 'errors') => sums.reduce((sum, each) => sum + each[field], 0)
    return [
      { what: `requests of three tenants in ${minutes} minutes`, value: total('requests'), unit: '' },
      { what: 'errors of theirs', value: total('errors'), unit: '', bar: { max: 0 } },
      { what: 'restarts of the server', value: stage.restarts(), unit: '', bar: { max: 0 } },
      { what: 'resident, median of the first third', value: first, unit: 'MB' },
      { what: 'resident, median of the middle third', value: middle, unit: 'MB' },
      { what: 'resident, median of the last third', value: last, unit: 'MB' },
      {
        what: 'last third ÷ middle third',
        value: round(last / middle, 2),
        unit: '',
        bar: { max: maxGrowth },
      },
      {
        what: 'the same with all its processes',
        value: round(lastAll / middleAll, 2),
        unit: '',
        bar: { max: maxGrowth },
      },
      {
        what: 'most memory, process',
        value: Math.max(...samples.map(({ processMb }) => processMb)),
        unit: 'MB',
        bar: { max: 1000 },
      },
    ]
  } finally {
    await stage.stop()
    await theatre.close()
  }
}
