import { setImmediate as turn } from 'node:timers/promises'
import { within } from '../lib/within.ts'

/** Past it an answer is not waited for any more. */
const patienceMs = 1_000
/** For so long nothing is asked of a Redis that was late; one question at a time then tries whether it is back. */
const pauseMs = 1_000
/** A connection over which nothing came for so long is made anew: the other side may be gone without a word. */
const silenceMs = 2_000
const connectMs = 2_000
const mostPauseMs = 5_000

/** Loads the client, which only a server with Redis needs; answers how to make connections. */
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

/** Redis is away, or late. */
class RedisAway extends Error {
  override readonly name = 'RedisAway'
}

export interface RedisOptions {
  /** When it does not answer any more, and when it does again; once each. */
  onAway: (error: unknown) => void
  onBack: () => void
}

/** A connection to Redis that comes back by itself. Nothing waits for a Redis that is away. */
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

  /** Waits a moment for the connection, and goes on without it. */
  static async open(url: string, options: RedisOptions): Promise<Redis> {
    const redis = new Redis(await loadClient(url), options)
    await redis.#untilKnown()
    return redis
  }

  /** Runs a script, which is atomic. Rejects when Redis is away or late. */
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
    // What goes wrong is told as an event, too.
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
    // While it is not known to be back, nobody else waits for it.
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
      // This process may be the one that was late: what has arrived is read first.
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

/** What is wrong with a Redis at an address; undefined when it answers. */
export async function redisFault(url: string): Promise<string | undefined> {
  let fault: unknown
  const redis = await Redis.open(url, { onAway: (error) => (fault = error), onBack: () => {} })
  const answers = await redis.answers()
  redis.close()
  if (answers) return undefined
  return redisProblem(fault)
}

/** What an error says of Redis; never its address, which may hold a password. */
export function redisProblem(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  if (error.name === 'RedisAway') return error.message
  return 'code' in error ? String(error.code) : error.message || error.name
}
