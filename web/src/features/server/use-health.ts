import { CairnApiError, type Health } from '@cairn/sdk'
import { useCallback, useEffect, useState } from 'react'
import { client } from '../../shared/client.ts'

const healthyIntervalMs = 10_000
const failedIntervalMs = 3_000
const timeoutMs = 5_000

export interface HealthState {
  /** The last response; kept while the server does not respond. */
  answer?: { health: Health; tookMs: number; at: number }
  /** The reason why the last check failed, in one sentence. */
  failure?: string
  checking: boolean
}

function describe(error: unknown): string {
  if (error instanceof CairnApiError) return `It responded with status ${error.status}: ${error.message}.`
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `There was no response within ${timeoutMs / 1000} seconds.`
  }
  return 'No connection could be made.'
}

/** The health of the server, polled while the page is visible. */
export function useHealth(): HealthState & { refresh: () => void } {
  const [state, setState] = useState<HealthState>({ checking: true })
  const [round, setRound] = useState(0)
  const refresh = useCallback(() => setRound((number) => number + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round is a new check
  useEffect(() => {
    const leaving = new AbortController()
    const started = performance.now()
    setState((before) => ({ ...before, checking: true }))
    client.health({ signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(timeoutMs)]) }).then(
      (health) => {
        if (leaving.signal.aborted) return
        setState({ answer: { health, tookMs: performance.now() - started, at: Date.now() }, checking: false })
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return
        setState(({ answer }) => ({ ...(answer && { answer }), failure: describe(error), checking: false }))
      },
    )
    return () => leaving.abort()
  }, [round])

  const failed = state.failure !== undefined
  useEffect(() => {
    if (state.checking) return
    const ask = () => document.visibilityState === 'visible' && refresh()
    const timer = setInterval(ask, failed ? failedIntervalMs : healthyIntervalMs)
    document.addEventListener('visibilitychange', ask)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [state.checking, failed, refresh])

  return { ...state, refresh }
}
