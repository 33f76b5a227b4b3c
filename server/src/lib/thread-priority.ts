import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** A tenth of the share of a core that a thread of normal priority gets, if both need it. */
const niceness = 10

/**
 * Lowers the priority of this thread, for work that can wait while the event loop and the database serve requests. Linux
 * only, where each thread has a priority; does nothing on other systems.
 */
export function yieldToOthers(): void {
  if (!isMainThread && process.platform === 'linux') setPriority(niceness)
}
