import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** Realistic traces of about 1 KB, as a team records them in a month. The number of a trace determines its content. */
export interface RealisticTrace {
  input: string
  output: string
  model: string
  latency_ms: number
  status: 'success' | 'error'
  error?: string
  tags: string[]
  token_usage: {
    prompt_tokens: number
    completion_tokens: number
    total_tokens: number
    cache_read_tokens?: number
  }
  cost?: number
  metadata: Record<string, unknown>
  custom_attributes: Record<string, unknown>
  version: string
  session_id: string
  user_id: string
  environment: string
  spans: Record<string, unknown>[]
  created_at: string
}

const dayMs = 24 * 60 * 60 * 1000
/** The month of the traces; `to` is exclusive. */
export const month = { from: Date.UTC(2026, 9, 1), to: Date.UTC(2026, 9, 31) }

/** USD per million tokens; null for private models without a known price. */
const models: { name: string; share: number; price: [number, number] | null }[] = [
  { name: 'gpt-4o-mini', share: 0.42, price: [0.15, 0.6] },
  { name: 'gpt-4o', share: 0.2, price: [2.5, 10] },
  { name: 'acme-assist-70b', share: 0.16, price: null },
  { name: 'acme-assist-13b', share: 0.1, price: null },
  { name: 'text-embedding-3-small', share: 0.08, price: [0.02, 0] },
  { name: 'acme-router-3b', share: 0.04, price: null },
]
const tags = ['chat', 'search', 'summary', 'agent', 'eval', 'beta', 'mobile', 'web', 'batch', 'vip']
const features = ['help-centre', 'inbox', 'reports', 'onboarding', 'catalogue']
const regions = ['eu-central', 'eu-west', 'us-east']
const errors = ['timeout after 30000 ms', 'rate limited by the provider', 'context length exceeded']
const versions = ['1.8.0', '1.9.0', '1.9.1', '2.0.0']
const words = (
  'invoice refund delivery address account plan upgrade contract password report summary customer order ticket ' +
  'product warranty return policy schedule meeting budget forecast region team quarter review draft answer please'
).split(' ')

/** Pseudo-random numbers in [0, 1) from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Random = ReturnType<typeof randomOf>

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T
}

function logNormal(random: Random, median: number, spread: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return median * Math.exp(spread * normal)
}

function pickModel(random: Random): (typeof models)[number] {
  let left = random()
  for (const model of models) {
    left -= model.share
    if (left < 0) return model
  }
  return models[0] as (typeof models)[number]
}

function prose(random: Random, count: number): string {
  let text = ''
  for (let i = 0; i < count; i++) text += i === 0 ? pick(random, words) : ` ${pick(random, words)}`
  return text
}

/** More traces by day than by night; deterministic for each number. */
function timeOf(number: number, of: number, random: Random): number {
  const even = ((number + random()) / of) * (month.to - month.from)
  const share = (even % dayMs) / dayMs
  const bent = share - (0.8 * Math.sin(2 * Math.PI * share)) / (2 * Math.PI)
  return Math.floor(month.from + Math.floor(even / dayMs) * dayMs + bent * dayMs)
}

function identifier(random: Random): string {
  return Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
}

function tokens(random: Random, model: string): RealisticTrace['token_usage'] {
  const prompt = Math.max(1, Math.round(logNormal(random, 600, 0.9)))
  const completion = model.includes('embedding') ? 0 : Math.max(1, Math.round(logNormal(random, 180, 0.8)))
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  return random() < 0.2 ? { ...usage, cache_read_tokens: Math.floor(prompt / 2) } : usage
}

/** The trace with this number, out of `of` traces that are spread over the month. */
export function realisticTrace(number: number, of: number): RealisticTrace {
  const random = randomOf(number + 1)
  const createdMs = timeOf(number, of, random)
  const { name: model, price } = pickModel(random)
  const usage = tokens(random, model)
  const latency = Math.round(logNormal(random, 900, 0.7) * 100) / 100
  const isError = random() < 0.03
  // A session is a few consecutive calls; several sessions run at a time.
  const session = randomOf(1_000_000_007 + Math.floor(number / 40) * 10 + Math.floor(random() * 8))
  const place = (createdMs - month.from) / (month.to - month.from)
  return {
    input: prose(random, 20 + Math.floor(random() * 20)),
    output: isError ? '' : prose(random, 25 + Math.floor(random() * 40)),
    model,
    latency_ms: latency,
    status: isError ? 'error' : 'success',
    ...(isError && { error: pick(random, errors) }),
    tags: [...new Set(Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, tags)))],
    token_usage: usage,
    ...(price && {
      cost: (usage.prompt_tokens * price[0] + usage.completion_tokens * price[1]) / 1e6,
    }),
    metadata: { region: pick(random, regions), client: 'sdk-ts/1.4.2', attempt: Math.floor(random() * 3) },
    custom_attributes: { feature: pick(random, features), prompt: `p${Math.floor(random() * 12)}` },
    version: versions[Math.min(3, Math.floor(place * 4 + random() * 0.4))] ?? '2.0.0',
    session_id: `ses_${identifier(session)}${identifier(session)}`,
    user_id: `usr_${Math.floor(session() * 5000)}`,
    environment: random() < 0.88 ? 'production' : pick(random, ['staging', 'development']),
    spans: [
      {
        name: model.includes('embedding') ? 'embed' : 'generate',
        start_ms: createdMs,
        end_ms: createdMs + Math.ceil(latency),
        kind: model.includes('embedding') ? 'embedding' : 'llm',
      },
    ],
    created_at: new Date(createdMs).toISOString(),
  }
}

/** Writes `count` traces as JSON Lines; returns the number of bytes. */
export async function writeRealisticTraces(path: string, count: number): Promise<number> {
  const file = createWriteStream(path)
  for (let number = 0; number < count; ) {
    let text = ''
    for (const until = Math.min(count, number + 1000); number < until; number++) {
      text += `${JSON.stringify(realisticTrace(number, count))}\n`
    }
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
  return file.bytesWritten
}
