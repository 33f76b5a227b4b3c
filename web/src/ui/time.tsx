import { useSyncExternalStore } from 'react'
import { formatAgo, formatTime } from './format.ts'

const tickMs = 10_000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all times on the page; it runs while any time is shown. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const tell of listeners) tell()
  }, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time that has passed since `at`, with the exact time on hover. */
export function Ago({ at }: { at: string }) {
  const current = useSyncExternalStore(subscribe, () => now)
  const time = Date.parse(at)
  return (
    <time dateTime={at} title={`${formatTime(at)} (${at})`} className="whitespace-nowrap tabular-nums">
      {formatAgo(Math.max(0, Math.max(current, time) - time))}
    </time>
  )
}
