import { setImmediate as turn } from 'node:timers/promises'
import { within } from '../lib/within.ts'

/** Time limit of a command. */
const patienceMs = 1_000
/** After a timeout, no command is sent for this time; then single commands test whether Redis is back. */
const pauseMs = 1_000
/** A connection without data for this time is replaced, because the other side may be gone without notice. */
const silenceMs = 2_000
const connectMs = 2_000
const mostPauseMs = 5_000

/** Loads the client, which only servers with Redis need; returns a function that makes connections. */
async function loadClient(url: string) {
  const { createClient } = await import('@redis/client')
  return () =>
    createClient({
      url,
      disableOfflineQueue: true,
      socket: {
        connectTimeout: connectMs,
        reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, mostPauseMs),
      },
    })
}

type Connect = Awaited<ReturnType<typeof loadClient>>
type Client = ReturnType<Connect>

/** Redis cannot be reached or responds too late. */
class RedisAway extends Error {
  override readonly name = 'RedisAway'
}

export interface RedisOptions {
  /** Each is called once: when Redis stops responding, and when it responds again. */
  onAway: (error: unknown) => void
  onBack: () => void
}

/** A connection to Redis that reconnects by itself. Callers never wait for an unreachable Redis. */
export class Redis {
  readonly #connect: Connect
  readonly #options: RedisOptions
  #client: Client
  #isAway = false
  #askAgainMs = 0
  #answeredMs = performance.now()

  private constructor(connect: Connect, options: RedisOptions) {
    this.#connect = connect
    this.#options = options
    this.#client = this.#start()
  }

  /** Waits briefly for the connection and continues without it. */
  static async open(url: string, options: RedisOptions): Promise<Redis> {
    const redis = new Redis(await loadClient(url), options)
    await redis.#untilKnown()
    return redis
  }

  /** Runs a script, which is atomic. Rejects if Redis is unreachable or late. */
  eval(script: string, key: string, values: readonly (string | number)[]): Promise<unknown> {
    return this.#ask((client) => client.eval(script, { keys: [key], arguments: values.map(String) }))
  }

  async answers(): Promise<boolean> {
    return this.#ask((client) => client.ping()).then(
      () => true,
      () => false,
    )
  }

  close(): void {
    this.#client.removeAllListeners()
    this.#client.on('error', () => {})
    if (this.#client.isOpen) this.#client.destroy()
  }

  #start(): Client {
    const client = this.#connect()
    client.on('error', (error) => this.#away(error))
    client.on('ready', () => this.#back())
    // Failures also arrive as events.
    client.connect().catch((error) => this.#away(error))
    return client
  }

  async #untilKnown(): Promise<void> {
    const client = this.#client
    const known = new Promise<void>((resolve) => {
      client.once('ready', resolve)
      client.once('error', () => resolve())
    })
    await within(known, connectMs)
  }

  async #ask<T>(question: (client: Client) => Promise<T>): Promise<T> {
    const now = performance.now()
    if (this.#isAway && now - this.#answeredMs > silenceMs) this.#startAnew()
    const client = this.#client
    if (!client.isReady || now < this.#askAgainMs) throw new RedisAway('Redis is away')
    // Until Redis is known to be back, no other command waits for it.
    if (this.#isAway) this.#askAgainMs = now + patienceMs + pauseMs
    try {
      const answer = await inTime(question(client))
      this.#back()
      return answer
    } catch (error) {
      this.#askAgainMs = performance.now() + pauseMs
      this.#away(error)
      throw error
    }
  }

  #startAnew(): void {
    this.close()
    this.#answeredMs = performance.now()
    this.#client = this.#start()
  }

  #away(error: unknown): void {
    if (this.#isAway) return
    this.#isAway = true
    this.#options.onAway(error)
  }

  #back(): void {
    this.#answeredMs = performance.now()
    this.#askAgainMs = 0
    if (!this.#isAway) return
    this.#isAway = false
    this.#options.onBack()
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const refuse = async () => {
      // The delay may be in this process, so data that has already arrived is read first.
      await turn()
      reject(new RedisAway(`no answer within ${patienceMs} ms`))
    }
    timer = setTimeout(refuse, patienceMs)
  })
  late.catch(() => {})
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Why Redis at this address does not respond; undefined if it responds. */
export async function redisFault(url: string): Promise<string | undefined> {
  let fault: unknown
  const redis = await Redis.open(url, { onAway: (error) => (fault = error), onBack: () => {} })
  const answers = await redis.answers()
  redis.close()
  if (answers) return undefined
  return redisProblem(fault)
}

/** A description of an error without the address of Redis, because the address may contain a password. */
export function redisProblem(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  if (error.name === 'RedisAway') return error.message
  return 'code' in error ? String(error.code) : error.message || error.name
}
