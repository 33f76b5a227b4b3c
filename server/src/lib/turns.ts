import { setImmediate } from 'node:timers/promises'
import type { FairQueue, Tenant } from './fair-queue.ts'

let last: Promise<unknown> = Promise.resolve()

/**
 * Yields to other work. Await it repeatedly during work that keeps the event loop busy. Each waiting caller gets its own
 * round of the event loop, so a request waits for one piece of such work, not for one piece of every caller.
 */
export function nextTurn(): Promise<unknown> {
  last = last.then(() => setImmediate())
  return last
}

/** Runs work that keeps the event loop busy, at the tenant's turn in the queue and after other events. */
export function inTurn<T>(queue: FairQueue, tenant: Tenant, work: () => T): Promise<T> {
  return queue.run(tenant, async () => {
    await nextTurn()
    return work()
  })
}

/** Milliseconds of work between two yields. */
const longest = 2

/** For work in small parts: yields when the parts since the last yield have taken long enough. */
export class Turns {
  #from = performance.now()

  async giveWay(): Promise<void> {
    if (performance.now() - this.#from < longest) return
    await nextTurn()
    this.#from = performance.now()
  }
}
