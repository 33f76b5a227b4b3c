import {
  InMemoryRateLimits,
  type RateLimits,
  type WindowKind,
  type WindowState,
  windowMs,
} from './rate-limit.ts'
import type { Redis } from './redis.ts'

const prefix = 'cairn:limits:'

/** Redis tells the time, so that all processes agree when a window ends. The end stands in the value: a TTL is rounded. */
const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** ARGV: the limit, the length of a window in ms, and 1 to count. Answers the count, the end, the time, and 1 over the limit. */
const windowScript = `${now}
local limit = tonumber(ARGV[1])
local known = redis.call('HMGET', KEYS[1], 'count', 'ends')
local count, ends = tonumber(known[1] or 0), tonumber(known[2] or 0)
if ends <= now then count, ends = 0, now + tonumber(ARGV[2]) end
if count >= limit then return { count, ends, now, 1 } end
if ARGV[3] == '1' then
  count = count + 1
  redis.call('HSET', KEYS[1], 'count', count, 'ends', string.format('%.0f', ends))
  redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', ends))
end
return { count, ends, now, 0 }
`

/** ARGV: tokens a second. Answers the seconds to wait, as a text; empty when a token was taken. */
const bucketScript = `${now}
local rate = tonumber(ARGV[1])
local known = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens, at = tonumber(known[1] or rate), tonumber(known[2] or now)
tokens = math.min(rate, tokens + math.max(0, now - at) / 1000 * rate)
if tokens < 1 then return tostring((1 - tokens) / rate) end
redis.call('HSET', KEYS[1], 'tokens', tokens - 1, 'at', string.format('%.0f', now))
-- A bucket that nobody has touched for a second is full.
redis.call('PEXPIRE', KEYS[1], 1000)
return ''
`

/** Limits that all processes with the same Redis share. While it is away, each process counts for itself. */
export class SharedLimits implements RateLimits {
  readonly #redis: Redis
  readonly #own = new InMemoryRateLimits()

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async take(kind: WindowKind, subject: string, limit: number): Promise<WindowState> {
    return (await this.#window(kind, subject, limit, 1)) ?? this.#own.take(kind, subject, limit)
  }

  async look(kind: WindowKind, subject: string, limit: number): Promise<WindowState> {
    return (await this.#window(kind, subject, limit, 0)) ?? this.#own.look(kind, subject, limit)
  }

  async takeToken(keyId: string, perSecond: number): Promise<number | undefined> {
    const wait = await this.#eval(bucketScript, `key:${keyId}`, [perSecond])
    if (wait === undefined) return this.#own.takeToken(keyId, perSecond)
    return wait === '' ? undefined : Number(wait)
  }

  async #window(
    kind: WindowKind,
    subject: string,
    limit: number,
    cost: 0 | 1,
  ): Promise<WindowState | undefined> {
    const answer = await this.#eval(windowScript, `${kind}:${subject}`, [limit, windowMs, cost])
    if (answer === undefined) return undefined
    const [count = 0, endsMs = 0, nowMs = 0, isOver = 0] = answer as number[]
    return { remaining: Math.max(0, limit - count), endsMs, waitMs: endsMs - nowMs, isOver: isOver === 1 }
  }

  /** Undefined when Redis is away; what it says of that is reported there. */
  async #eval(script: string, key: string, values: readonly number[]): Promise<unknown> {
    return this.#redis.eval(script, prefix + key, values).catch(() => undefined)
  }
}
