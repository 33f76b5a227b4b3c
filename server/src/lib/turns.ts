import { setTimeout as pause, setImmediate } from 'node:timers/promises'

/** The last round of the event loop that a caller waits for. Each thread has one event loop, so one queue is enough. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Yields to other work. Await it repeatedly during work that keeps the event loop busy. Each waiting caller gets its own
 * round of the event loop, so a request waits for one piece of such work, not for one piece of every caller.
 */
export function giveWay(): Promise<unknown> {
  last = last.then(() => setImmediate())
  return last
}

let lastPause: Promise<unknown> = Promise.resolve()

/** Waits `ms` milliseconds after the pauses of all earlier callers, so that together they do not work more often. */
export function pauseInTurn(ms: number): Promise<unknown> {
  lastPause = lastPause.then(() => pause(ms))
  return lastPause
}

/** After work of at least `fromMs` milliseconds, its place stays taken for the same time, but for `mostMs` at most. */
const rest = { fromMs: 4, mostMs: 15 }

/**
 * Runs work that keeps the event loop busy, in a place of a `FairQueue` (`enter` or `enterAgain`) and after other events.
 * After long work the place stays taken for a while. A request needs several rounds of the event loop, and without the
 * pause it would wait in each of them.
 */
export async function inTurn<T>(place: Promise<() => void>, work: () => T): Promise<T> {
  const leave = await place
  await giveWay()
  const from = performance.now()
  try {
    return work()
  } finally {
    const tookMs = performance.now() - from
    if (tookMs < rest.fromMs) leave()
    else setTimeout(leave, Math.min(tookMs, rest.mostMs))
  }
}

/** For work in small parts: calls `giveWay` when the parts since the last call have taken `afterMs` together. */
export function createPacer(afterMs = 2): () => Promise<void> {
  let from = performance.now()
  return async () => {
    if (performance.now() - from < afterMs) return
    await giveWay()
    from = performance.now()
  }
}
