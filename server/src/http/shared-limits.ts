import {
  InMemoryRateLimits,
  type RateLimits,
  type WindowKind,
  type WindowState,
  windowMs,
} from './rate-limit.ts'
import type { Redis } from './redis.ts'

const prefix = 'cairn:limits:'

/** The clock of Redis ends windows, so all processes agree. The end is stored in the value, because a TTL is rounded. */
const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** ARGV: limit, window length in ms, 1 to count. Returns the count, the end, the time, and 1 if the limit is exceeded. */
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

/** ARGV: tokens per second. Returns the seconds to wait as text; empty if a token was taken. */
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

/** Rate limits that all processes with the same Redis share. While Redis is away, each process counts by itself. */
export class SharedLimits implements RateLimits {
  readonly #redis: Redis
  readonly #inMemory = new InMemoryRateLimits()

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async take(kind: WindowKind, subject: string, limit: number): Promise<WindowState> {
    return (await this.#window(kind, subject, limit, 1)) ?? this.#inMemory.take(kind, subject, limit)
  }

  async look(kind: WindowKind, subject: string, limit: number): Promise<WindowState> {
    return (await this.#window(kind, subject, limit, 0)) ?? this.#inMemory.look(kind, subject, limit)
  }

  async takeToken(keyId: string, perSecond: number): Promise<number | undefined> {
    const wait = await this.#eval(bucketScript, `key:${keyId}`, [perSecond])
    if (wait === undefined) return this.#inMemory.takeToken(keyId, perSecond)
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

  /** Undefined while Redis is away; the connection reports the problem. */
  async #eval(script: string, key: string, values: readonly number[]): Promise<unknown> {
    return this.#redis.eval(script, prefix + key, values).catch(() => undefined)
  }
}
