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

/** Does work that keeps the event loop busy when it is the tenant's turn in the queue, and others have had theirs. */
export function inTurn<T>(queue: FairQueue, tenant: Tenant, work: () => T): Promise<T> {
  return queue.run(tenant, async () => {
    await nextTurn()
    return work()
  })
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
