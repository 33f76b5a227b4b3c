import { ChildError } from '../../lib/children/child-error.ts'
import { createChildPool } from '../../lib/children/child-pool.ts'
import { workerModule } from '../../lib/package.ts'
import type { Passage, Relation } from './types.ts'

/** Runs `relateLocally` in child processes. */
export interface RelatingPool {
  /** Returns no relations if the document exceeds the limits of time or memory. An abort ends the child process. */
  relate(passages: readonly Passage[], signal: AbortSignal): Promise<Relation[]>
  close(): Promise<void>
}

const megabyte = 1024 * 1024
/** A project relates one document at a time, so with two processes another project need not wait for it. */
const width = 2
/** On an idle machine, a file of 5 MB with only different words takes about 10 seconds. */
const timeoutMs = 120_000
const maxMemoryBytes = 768 * megabyte
const maxReplyBytes = 16 * megabyte

/** Creates a pool whose child processes start with the first work and end when idle. */
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
