import { ChildError, type ChildErrorReason } from '../../lib/children/child-error.ts'
import { createChildPool } from '../../lib/children/child-pool.ts'
import type { FairQueue } from '../../lib/fair-queue.ts'
import { workerModule } from '../../lib/package.ts'

/** A check exceeded its limit of time or memory, or failed. */
export class CheckLimitError extends Error {
  override readonly name = 'CheckLimitError'
}

/** Checks with patterns and schemas of users, which may run without an end. So they run in child processes with a limit. */
export interface CheckPool {
  /** All methods throw CheckLimitError. */
  matches(projectId: string, pattern: string, text: string): Promise<boolean>
  /** The reason why a value is no JSON schema; undefined if it is one. */
  schemaProblem(projectId: string, schema: object): Promise<string | undefined>
  /** The reason why a text is not JSON of a schema; undefined if it is. */
  mismatch(projectId: string, schema: object, text: string): Promise<string | undefined>
  close(): Promise<void>
}

const megabyte = 1024 * 1024
/** Number of concurrent checks. */
export const checksWidth = 2
/** Enough memory to parse an output of 10 MB as JSON. */
const maxMemoryBytes = 256 * megabyte
const maxReplyBytes = megabyte

/**
 * Child processes start with the first check. Projects take turns. `limitMs` limits one check, without its waiting time and
 * the start of its child process.
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
      // The fault is in the server, not in the pattern or schema.
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
