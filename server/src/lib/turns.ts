import { setImmediate } from 'node:timers/promises'
import type { FairQueue, Tenant } from './fair-queue.ts'

let last: Promise<unknown> = Promise.resolve()

/**
 * Lets others go first: to be awaited again and again during work that keeps the event loop busy. Whoever waits at the
 * same time gets a round of the event loop each, so that a request waits for one piece of such work, not for one of each.
 */
export function nextTurn(): Promise<unknown> {
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
  await nextTurn()
  const from = performance.now()
  try {
    return work()
  } finally {
    const tookMs = performance.now() - from
    if (tookMs < rest.fromMs) leave()
    else setTimeout(leave, Math.min(tookMs, rest.mostMs))
  }
}

/** How long (ms) work keeps the event loop before others get a turn. */
const longest = 2

/** For work in small parts: lets others go first when the parts since the last turn have taken long enough. */
export class Turns {
  #from = performance.now()

  async giveWay(): Promise<void> {
    if (performance.now() - this.#from < longest) return
    await nextTurn()
    this.#from = performance.now()
  }
}
