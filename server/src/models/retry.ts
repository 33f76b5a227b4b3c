import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../lib/backoff.ts'
import { ModelError, toModelError } from './model-error.ts'

const tries = 3
const backoff = { baseMs: 500, maxMs: 4_000 }
/** If a provider asks for a longer wait, it is not tried again, because another model may answer sooner. */
const longestPauseMs = 10_000

export interface Attempt {
  /** The model name for messages. */
  model: string
  /** Time without output after which the call has failed; after ten times as long it has failed in any case. */
  quietMs: number
  signal: AbortSignal | undefined
  /** Gets each failure that is followed by another try. */
  onRetry?: ((error: unknown) => void) | undefined
}

/** A call may take this many times as long as a silence. */
const maxSilences = 10

/** A time limit on silence, and on the whole call. */
export interface Watch {
  /** Aborts when the caller aborts, or after too long a silence. */
  signal: AbortSignal
  heard(): void
  end(): void
  /** The failure for the caller: a ModelError, or the reason of the caller's own signal. */
  explain(error: unknown): unknown
}

function startWatch({ model, quietMs, signal }: Attempt): Watch {
  const silence = new AbortController()
  const late = () => silence.abort(new ModelError(model, 'timeout'))
  let timer = setTimeout(late, quietMs)
  const wholeCall = setTimeout(late, maxSilences * quietMs)
  return {
    signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    heard() {
      clearTimeout(timer)
      timer = setTimeout(late, quietMs)
    },
    end() {
      clearTimeout(timer)
      clearTimeout(wholeCall)
    },
    explain(error) {
      if (signal?.aborted) return signal.reason
      return silence.signal.aborted ? silence.signal.reason : toModelError(error, model)
    },
  }
}

/** Milliseconds until the next try; undefined if there is none. */
function pauseAfter(error: unknown, count: number): number | undefined {
  if (!(error instanceof ModelError) || !error.isRetryable || count >= tries) return undefined
  const wait = Math.max(backoffMs(count, backoff), error.retryAfterMs ?? 0)
  return wait > longestPauseMs ? undefined : wait
}

/**
 * Runs a call until it succeeds, fails permanently, or has failed three times. After a success, the caller owns the
 * watch and must end it. Throws ModelError, or the reason of the caller's signal.
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
      attempt.onRetry?.(error)
      await pause(wait, undefined, { signal: attempt.signal }).catch(() => {})
    }
  }
}
