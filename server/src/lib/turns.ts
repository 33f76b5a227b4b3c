import { setImmediate } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/**
 * Lets others go first: to be awaited again and again during work that keeps the event loop busy. Whoever waits at the
 * same time gets a round of the event loop each, so that a request waits for one piece of such work, not for one of each.
 */
export function nextTurn(): Promise<unknown> {
  last = last.then(() => setImmediate())
  return last
}
