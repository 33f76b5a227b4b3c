import type { CreatedTraceBatch, CreateTrace } from '@cairn/contract'
import { CairnApiError } from '../errors.ts'
import { newIdempotencyKey } from '../idempotency-key.ts'
import { toSendable } from './json.ts'

export interface SenderOptions {
  /** Waiting traces; further ones are dropped. Default 10,000. */
  maxWaiting?: number | undefined
  /** Characters of waiting traces; further traces are dropped. Default 50,000,000. */
  maxWaitingCharacters?: number | undefined
  /** Time after which traces are sent, unless many wait. Default 1. */
  intervalSeconds?: number | undefined
  /** Called after a try to send, with the number of lost traces and the reason. Default: a line on `console.warn`. */
  onDropped?: ((count: number, reason: string) => void) | undefined
}

type Send = (traces: CreateTrace[], idempotencyKey: string) => Promise<CreatedTraceBatch>

interface Waiting {
  trace: CreateTrace
  characters: number
}

const maxBatch = 200
const maxBatchCharacters = 2_000_000
const longestBackOffSeconds = 30

function warn(count: number, reason: string): void {
  console.warn(`cairn: ${count === 1 ? 'a trace was' : `${count} traces were`} dropped: ${reason}`)
}

/** Whether the same batch can succeed later: the server is away, busy or failing. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof CairnApiError)) return true
  return error.status === 408 || error.status === 429 || error.status >= 500
}

/** Sends traces in batches in the background. The queue is bounded, and no call throws. */
export class Sender {
  readonly #send: Send
  readonly #options: SenderOptions
  #waiting: Waiting[] = []
  #characters = 0
  #dropped = 0
  /** Dropped traces beyond the limit that are not reported yet. */
  #overflow = 0
  #failures = 0
  #batch: { size: number; idempotencyKey: string } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | undefined

  constructor(send: Send, options: SenderOptions) {
    this.#send = send
    this.#options = options
  }

  /** Traces that were lost so far. */
  get dropped(): number {
    return this.#dropped
  }

  /** @param characters approximate size of the trace as JSON */
  add(trace: CreateTrace, characters: number): void {
    const { maxWaiting = 10_000, maxWaitingCharacters = 50_000_000 } = this.#options
    if (this.#waiting.length >= maxWaiting || this.#characters + characters > maxWaitingCharacters) {
      this.#dropped++
      this.#overflow++
      return
    }
    this.#waiting.push({ trace, characters })
    this.#characters += characters
    // The first batch after a failure waits for its back-off.
    if (this.#failures === 0 && this.#waiting.length >= maxBatch) this.#schedule(0)
    else this.#schedule(this.#options.intervalSeconds ?? 1)
  }

  /** Resolves when each waiting trace was sent, or was tried once more and is still waiting or dropped. */
  async flush(): Promise<void> {
    await this.#sending
    while (this.#waiting.length > 0) {
      const before = this.#failures
      await this.#sendAll()
      if (this.#failures > before) return
    }
  }

  /** Like `flush`, but drops what could not be sent. */
  async close(): Promise<void> {
    await this.flush()
    clearTimeout(this.#timer)
    const rest = this.#waiting.splice(0)
    this.#characters = 0
    if (rest.length > 0) this.#drop(rest.length, 'the server could not be reached before the end')
  }

  #schedule(seconds: number): void {
    if (this.#timer !== undefined || this.#sending) return
    this.#timer = setTimeout(() => void this.#sendAll(), seconds * 1000)
    // An application may end while traces wait; they are sent at its exit.
    ;(this.#timer as { unref?: () => void }).unref?.()
  }

  /** One report for each try to send, because a busy application can drop thousands of traces a second. */
  #reportOverflow(): void {
    const count = this.#overflow
    this.#overflow = 0
    if (count > 0) this.#report(count, 'too many traces are waiting for the server')
  }

  /** Sends batch by batch until nothing waits or a batch fails. One run at a time. */
  #sendAll(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#run().finally(() => {
      this.#sending = undefined
      this.#reportOverflow()
      if (this.#waiting.length > 0) this.#schedule(Math.min(longestBackOffSeconds, 2 ** this.#failures))
    })
    return this.#sending
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // After a failure, the same batch with the same key: the server may have stored it.
      this.#batch ??= { size: this.#nextSize(), idempotencyKey: newIdempotencyKey() }
      const { size, idempotencyKey } = this.#batch
      const delivered = await this.#deliver(this.#waiting.slice(0, size), idempotencyKey)
      if (!delivered) return
      this.#batch = undefined
      for (const { characters } of this.#waiting.splice(0, size)) this.#characters -= characters
    }
  }

  /** Number of waiting traces in the next batch. */
  #nextSize(): number {
    let characters = 0
    const end = this.#waiting.findIndex((each, at) => {
      characters += each.characters
      return at === maxBatch || (at > 0 && characters > maxBatchCharacters)
    })
    return end === -1 ? this.#waiting.length : end
  }

  /** False if the batch can be delivered later. */
  async #deliver(batch: readonly Waiting[], idempotencyKey: string): Promise<boolean> {
    try {
      const traces = batch.map(({ trace }) => toSendable(trace))
      const { results } = await this.#send(traces, idempotencyKey)
      this.#failures = 0
      const reasons = results.flatMap((result) => ('error' in result ? [result.error] : []))
      for (const reason of new Set(reasons)) {
        this.#drop(reasons.filter((each) => each === reason).length, reason)
      }
      return true
    } catch (error) {
      if (isTemporary(error)) {
        this.#failures++
        return false
      }
      this.#drop(batch.length, (error as Error).message)
      return true
    }
  }

  #drop(count: number, reason: string): void {
    this.#dropped += count
    this.#report(count, reason)
  }

  #report(count: number, reason: string): void {
    try {
      ;(this.#options.onDropped ?? warn)(count, reason)
    } catch {
      // Tracing must not break the application.
    }
  }
}
