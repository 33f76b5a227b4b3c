import type { CreateTrace } from '@cairn/contract'

/** Values of the seeded traces. The last value of each list is rare: one trace in 50,000 has it. */
export const values = {
  model: names('model', 10),
  version: names('1', 8, '.'),
  environment: ['production', 'staging', 'review'],
  tag: names('tag', 40),
  tier: ['free', 'team', 'enterprise'],
  customer: names('customer', 1000),
}
/** Appears in the output of one trace in 50,000. */
export const rareWord = 'zugzwang'

const rareEvery = 50_000
const tracesPerSession = 50
const sessionsAtOnce = 100

function names(prefix: string, count: number, separator = '-'): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${separator}${index}`)
}

/** A permutation of the 32-bit numbers (Mueller), to derive names and random values from the number of a trace. */
function scatter(number: number): number {
  let bits = number | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b)
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** A deterministic sequence of numbers in [0, 1) for each trace (Mulberry32). */
function chances(seed: number): () => number {
  let state = scatter(seed)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296
  }
}

/** Selects low indexes more often; the last value is reserved for rare traces. */
function pick(list: readonly string[], chance: number): string {
  return list[Math.floor((list.length - 1) * chance ** 2)] ?? ''
}

/** A normally distributed number (Box and Muller). */
function normal(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}

const sentences =
  'The gauge on the north pier showed a slow rise through the night and fell again at dawn. ' +
  'Nobody had asked for the older readings, so the keeper left them in the drawer beside the lamp. ' +
  'A second crew reported calm water and light wind from the west; the ferry kept to its timetable. '
const prose = sentences.repeat(4)

function text(offset: number, length: number): string {
  return prose.slice(offset % sentences.length, (offset % sentences.length) + length)
}

/** Marks a day in the names of sessions and users. */
export function ofDay(day: number): string {
  return `.d${String(day).padStart(2, '0')}`
}

/** Users return after this many days. */
export const userDays = 7

/** Sessions overlap: a hundred sessions share about a thousand consecutive traces. */
function sessionOf(number: number, chance: number): { session: string; user: string } {
  const block = Math.floor(number / (tracesPerSession * sessionsAtOnce))
  const session = block * sessionsAtOnce + Math.floor(chance * sessionsAtOnce)
  return {
    session: `session-${scatter(session).toString(16).padStart(8, '0')}${ofDay(0)}`,
    user: `user-${scatter(session + 1_000_000)
      .toString(16)
      .padStart(8, '0')}${ofDay(0)}`,
  }
}

/** The request that would record the trace with this number; about 1 KB when stored. */
export function seedTrace(number: number, createdMs: number): CreateTrace {
  const next = chances(number)
  const isRare = number % rareEvery === rareEvery >> 1
  const rare = <T>(list: readonly T[], otherwise: T) => (isRare ? (list.at(-1) ?? otherwise) : otherwise)
  const prompt = 100 + Math.floor(next() * 900)
  const completion = 20 + Math.floor(next() * 400)
  const { session, user } = sessionOf(number, next())
  const tag = rare(values.tag, pick(values.tag, next()))
  const second = next() < 0.5 ? [pick(values.tag, next())] : []
  const failed = next() < 0.03
  return {
    input: `Question ${number}: ${text(number * 7, 90)}`,
    output: `${text(number * 13, 160)}${isRare ? rareWord : ''}`,
    model: rare(values.model, pick(values.model, next())),
    version: rare(values.version, pick(values.version, next())),
    environment: rare(values.environment, pick(values.environment, next())),
    latency_ms: Math.round(Math.exp(6.7 + 0.8 * normal(next)) * 10) / 10,
    status: failed ? 'error' : 'success',
    ...(failed ? { error: 'the model did not answer in time' } : {}),
    tags: second.includes(tag) ? [tag] : [tag, ...second],
    token_usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    },
    cost: (prompt * 3 + completion * 15) / 1_000_000,
    session_id: session,
    user_id: user,
    custom_attributes: {
      tier: pick(values.tier, next()),
      customer: values.customer[Math.floor(next() * values.customer.length)] ?? '',
    },
    created_at: new Date(createdMs).toISOString(),
  }
}
