import { setImmediate } from 'node:timers/promises'

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

/** For work in small parts: `giveWay`, once the parts since the last time have taken `afterMs` together. */
export function createPacer(afterMs = 2): () => Promise<void> {
  let from = performance.now()
  return async () => {
    if (performance.now() - from < afterMs) return
    await giveWay()
    from = performance.now()
  }
}
