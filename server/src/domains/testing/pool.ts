import { ChildError, type ChildErrorReason } from '../../lib/children/child-error.ts'
import { createChildPool } from '../../lib/children/child-pool.ts'
import { workerModule } from '../../lib/package.ts'

/** A check that took longer or more memory than it may, or failed. */
export class CheckLimitError extends Error {
  override readonly name = 'CheckLimitError'
}

/** Checks whose time follows from what users wrote, in child processes that are ended when it is too long. */
export interface CheckPool {
  /** Throws CheckLimitError, as the others do. */
  matches(pattern: string, text: string): Promise<boolean>
  /** Why it is no JSON schema. */
  schemaProblem(schema: object): Promise<string | undefined>
  /** Why a text is not JSON of that schema. */
  mismatch(schema: object, text: string): Promise<string | undefined>
  close(): Promise<void>
}

const megabyte = 1024 * 1024
const width = 2
/** An output of 10 MB is read as JSON within it. */
const maxMemoryBytes = 256 * megabyte
const maxReplyBytes = megabyte

/** Children start with the first check. `limitMs` is for one check, waiting and the start of its child aside. */
export function createCheckPool(limitMs = 1_000): CheckPool {
  const children = createChildPool<typeof import('./worker.ts')>({
    module: workerModule('domains/testing/worker'),
    width,
    timeoutMs: limitMs,
    maxMemoryBytes,
    maxReplyBytes,
    // Its time is short already.
    yields: false,
    // Ajv compiles schemas to functions.
    compilesStrings: true,
  })

  async function limited<T>(check: Promise<T>): Promise<T> {
    try {
      return await check
    } catch (cause) {
      const reason = cause instanceof ChildError ? cause.reason : 'threw'
      // The server is at fault, not what is checked.
      if (reason === 'start' || reason === 'closed') throw cause
      throw new CheckLimitError(messageOf(reason, limitMs), { cause })
    }
  }

  return {
    matches: (pattern, text) => limited(children.run('matchInChild', { pattern, text })),
    schemaProblem: (schema) => limited(children.run('schemaProblemInChild', { schema })),
    mismatch: (schema, text) => limited(children.run('mismatchInChild', { schema, text })),
    close: () => children.close(),
  }
}

function messageOf(reason: ChildErrorReason, limitMs: number): string {
  if (reason === 'time') return `it took longer than ${limitMs} ms`
  if (reason === 'memory') return 'it took more memory than the limit'
  return 'the check failed'
}
