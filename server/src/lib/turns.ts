import { setImmediate } from 'node:timers/promises'
import type { FairQueue, Tenant } from './fair-queue.ts'

/** The last round that somebody waits for. Each thread has one event loop, and so one queue for it. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Lets others go first: to be awaited again and again during work that keeps the event loop busy. Whoever waits at the
 * same time gets a round of the event loop each, so that a request waits for one piece of such work, not for one of each.
 */
export function giveWay(): Promise<unknown> {
  last = last.then(() => setImmediate())
  return last
}

/** From this length on (ms), work is followed by a rest of the same length, up to the second value. */
const rest = { fromMs: 4, mostMs: 15 }

/**
 * Does work that keeps the event loop busy, at the tenant's turn in the queue. Long work keeps its place for a rest, in
 * which nothing of this queue runs: a request takes several rounds of the event loop, and would else wait in each of them.
 */
export async function inTurn<T>(queue: FairQueue, tenant: Tenant, work: () => T): Promise<T> {
  const leave = await queue.enter(tenant)
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

/** For work in small parts: `giveWay`, once the parts since the last time have taken `afterMs` together. */
export function createPacer(afterMs = 2): () => Promise<void> {
  let from = performance.now()
  return async () => {
    if (performance.now() - from < afterMs) return
    await giveWay()
    from = performance.now()
  }
}
