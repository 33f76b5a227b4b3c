import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../lib/backoff.ts'
import { ModelError, toModelError } from './model-error.ts'

const tries = 3
const backoff = { baseMs: 500, maxMs: 4_000 }
/** Whoever asks for a longer pause is out for now: another model may answer sooner. */
const longestPauseMs = 10_000

export interface Attempt {
  /** For messages. */
  model: string
  /** Time without a sign of life after which the model has failed. */
  quietMs: number
  signal: AbortSignal | undefined
}

/** A limit on silence. */
export interface Watch {
  /** Aborted by the caller, or when nothing has been heard for too long. */
  signal: AbortSignal
  heard(): void
  end(): void
  /** A failure as the caller should see it: a ModelError, or the reason of the caller's own signal. */
  explain(error: unknown): unknown
}

function startWatch({ model, quietMs, signal }: Attempt): Watch {
  const silence = new AbortController()
  const late = () => silence.abort(new ModelError(model, 'timeout'))
  let timer = setTimeout(late, quietMs)
  return {
    signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    heard() {
      clearTimeout(timer)
      timer = setTimeout(late, quietMs)
    },
    end: () => clearTimeout(timer),
    explain(error) {
      if (signal?.aborted) return signal.reason
      return silence.signal.aborted ? silence.signal.reason : toModelError(error, model)
    },
  }
}

/** Milliseconds until the next try; undefined when there is none. */
function pauseAfter(error: unknown, count: number): number | undefined {
  if (!(error instanceof ModelError) || !error.isRetryable || count >= tries) return undefined
  const wait = Math.max(backoffMs(count, backoff), error.retryAfterMs ?? 0)
  return wait > longestPauseMs ? undefined : wait
}

/**
 * Runs a call until it succeeds, fails for good, or has been tried three times. Who succeeds keeps the watch and has
 * to end it. Throws ModelError, or the reason of the caller's signal.
 */
export async function withRetries<T>(attempt: Attempt, run: (watch: Watch) => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    attempt.signal?.throwIfAborted()
    const watch = startWatch(attempt)
    try {
      return await run(watch)
    } catch (thrown) {
      watch.end()
      const error = watch.explain(thrown)
      const wait = pauseAfter(error, count)
      if (wait === undefined) throw error
      await pause(wait, undefined, { signal: attempt.signal }).catch(() => {})
    }
  }
}
