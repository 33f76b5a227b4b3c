import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** A tenth of the share of a core that a thread of usual priority gets, when both want it. */
const niceness = 10

/**
 * Lets other threads go first when there are more of them than cores: for threads whose work can wait, while the event
 * loop and the database answer requests. Only on Linux, where a priority is one of a thread; does nothing elsewhere.
 */
export function yieldToOthers(): void {
  if (!isMainThread && process.platform === 'linux') setPriority(niceness)
}
