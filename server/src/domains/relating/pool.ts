import { ChildError } from '../../lib/children/child-error.ts'
import { createChildPool } from '../../lib/children/child-pool.ts'
import { workerModule } from '../../lib/package.ts'
import type { Passage, Relation } from './types.ts'

/** Relates passages away from the event loop. */
export interface RelatingPool {
  /** See `relateLocally`; none of a document that takes too long or too much memory. Aborting ends the child. */
  relate(passages: readonly Passage[], signal: AbortSignal): Promise<Relation[]>
  close(): Promise<void>
}

const megabyte = 1024 * 1024
/** Projects have one document related at a time: that of another one need not wait for it. */
const width = 2
/** A file of 5 MB in which each word is another one takes about 10 seconds on a machine with nothing else to do. */
const timeoutMs = 120_000
const maxMemoryBytes = 768 * megabyte
const maxReplyBytes = 16 * megabyte

/** Child processes, which start with the first work and end when idle. */
export function createRelatingPool(): RelatingPool {
  const children = createChildPool<typeof import('./worker.ts')>({
    module: workerModule('domains/relating/worker'),
    width,
    timeoutMs,
    maxMemoryBytes,
    maxReplyBytes,
    idleMs: 2_000,
  })
  return {
    async relate(passages, signal) {
      try {
        return await children.run('relateInChild', { passages }, { signal })
      } catch (error) {
        if (error instanceof ChildError && error.isOverLimit) return []
        throw error
      }
    },
    close: () => children.close(),
  }
}
