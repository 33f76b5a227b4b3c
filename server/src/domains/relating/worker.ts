import { yieldToOthers } from '../../lib/thread-priority.ts'
import { relateLocally } from './local.ts'
import type { Passage, Relation } from './types.ts'

yieldToOthers()

/** Work of the pool's thread; the task and the answer cross the thread boundary. */
export function relateInWorker(passages: Passage[]): Relation[] {
  return relateLocally(passages)
}
