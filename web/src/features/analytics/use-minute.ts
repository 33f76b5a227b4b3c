import { useSyncExternalStore } from 'react'

const minuteMs = 60_000
const endOfMinute = () => Math.ceil((Date.now() + 1) / minuteMs) * minuteMs

function subscribe(changed: () => void): () => void {
  const timer = setInterval(changed, 5_000)
  return () => clearInterval(timer)
}

/** The end of the current minute in epoch milliseconds; periods that end now follow it. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, endOfMinute)
}
