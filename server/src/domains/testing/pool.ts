import { ChildError, type ChildErrorReason } from '../../lib/children/child-error.ts'
import { createChildPool } from '../../lib/children/child-pool.ts'
import type { FairQueue } from '../../lib/fair-queue.ts'
import { workerModule } from '../../lib/package.ts'

/** A check that took longer or more memory than it may, or failed. */
export class CheckLimitError extends Error {
  override readonly name = 'CheckLimitError'
}

/** Checks whose time follows from what a project's users wrote, in child processes that are ended when it is too long. */
export interface CheckPool {
  /** Throws CheckLimitError, as the others do. */
  matches(projectId: string, pattern: string, text: string): Promise<boolean>
  /** Why it is no JSON schema. */
  schemaProblem(projectId: string, schema: object): Promise<string | undefined>
  /** Why a text is not JSON of that schema. */
  mismatch(projectId: string, schema: object, text: string): Promise<string | undefined>
  close(): Promise<void>
}

const megabyte = 1024 * 1024
/** Checks that are made at the same time. */
export const checksWidth = 2
/** An output of 10 MB is read as JSON within it. */
const maxMemoryBytes = 256 * megabyte
const maxReplyBytes = megabyte

/**
 * Children start with the first check, and projects take turns. `limitMs` is for one check, waiting and the start of its
 * child aside.
 */
export function createCheckPool(queue: FairQueue, limitMs = 1_000): CheckPool {
  const children = createChildPool<typeof import('./worker.ts')>({
    module: workerModule('domains/testing/worker'),
    width: checksWidth,
    timeoutMs: limitMs,
    maxMemoryBytes,
    maxReplyBytes,
    // Its time is short already.
    yields: false,
    // Ajv compiles schemas to functions.
    compilesStrings: true,
  })

  async function limited<T>(projectId: string, check: () => Promise<T>): Promise<T> {
    const leave = await queue.enter([projectId])
    try {
      return await check()
    } catch (cause) {
      // The server is at fault, not what is checked.
      if (cause instanceof ChildError && cause.isUnavailable) throw cause
      const reason = cause instanceof ChildError ? cause.reason : 'threw'
      throw new CheckLimitError(messageOf(reason, limitMs), { cause })
    } finally {
      leave()
    }
  }

  return {
    matches: (projectId, pattern, text) =>
      limited(projectId, () => children.run('matchInChild', { pattern, text })),
    schemaProblem: (projectId, schema) =>
      limited(projectId, () => children.run('schemaProblemInChild', { schema })),
    mismatch: (projectId, schema, text) =>
      limited(projectId, () => children.run('mismatchInChild', { schema, text })),
    close: () => children.close(),
  }
}

function messageOf(reason: ChildErrorReason, limitMs: number): string {
  if (reason === 'time') return `it took longer than ${limitMs} ms`
  if (reason === 'memory') return 'it took more memory than the limit'
  return 'the check failed'
}
