import type { Piscina } from 'piscina'
import { workerModule } from '../../lib/package.ts'

/** A check that took longer or more memory than it may, or failed. */
export class CheckLimitError extends Error {
  override readonly name = 'CheckLimitError'
}

/** Checks whose time follows from what users wrote, in threads that are killed when it is too long. */
export interface CheckPool {
  /** Throws CheckLimitError, as the others do. */
  matches(pattern: string, text: string): Promise<boolean>
  /** Why it is no JSON schema. */
  schemaProblem(schema: object): Promise<string | undefined>
  /** Why a text is not JSON of that schema. */
  mismatch(schema: object, text: string): Promise<string | undefined>
  close(): Promise<void>
}

const maxThreads = 2
const idleThreadMs = 5_000
const maxMemoryMb = 128
/** For a thread to start on a busy machine. */
const startMs = 30_000
const lookMs = 25

/** Threads start with the first check. `limitMs` is for one check, waiting and the start of its thread aside. */
export function createCheckPool(limitMs = 1_000): CheckPool {
  let threads: Promise<Piscina> | undefined
  let free = maxThreads
  const waiting: (() => void)[] = []

  async function run<T>(name: string, task: object): Promise<T> {
    threads ??= startThreads()
    const pool = await threads
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free -= 1
    try {
      return await limited<T>(pool, name, task, limitMs)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }

  return {
    matches: (pattern, text) => run('matchInWorker', { pattern, text }),
    schemaProblem: (schema) => run('schemaProblemInWorker', { schema }),
    mismatch: (schema, text) => run('mismatchInWorker', { schema, text }),
    async close() {
      await (await threads)?.destroy()
    },
  }
}

async function startThreads(): Promise<Piscina> {
  // Loaded on first use, so that a server that checks nothing does not pay for it.
  const { Piscina } = await import('piscina')
  return new Piscina({
    filename: workerModule('domains/testing/worker').href,
    minThreads: 0,
    maxThreads,
    idleTimeout: idleThreadMs,
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  })
}

/** Aborting a running task makes the pool end its thread. The start of a thread has a limit of its own. */
async function limited<T>(pool: Piscina, name: string, task: object, limitMs: number): Promise<T> {
  const limit = new AbortController()
  const begun = new Int32Array(new SharedArrayBuffer(4))
  let until = Date.now() + startMs
  let isBegun = false
  const timer = setInterval(() => {
    if (!isBegun && Atomics.load(begun, 0) === 1) {
      isBegun = true
      until = Date.now() + limitMs
    }
    if (Date.now() >= until) limit.abort()
  }, lookMs)
  try {
    return (await pool.run({ ...task, begun }, { name, signal: limit.signal })) as T
  } catch (cause) {
    const isMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (isMemory) throw new CheckLimitError('it took more memory than the limit', { cause })
    if (limit.signal.aborted) throw new CheckLimitError(`it took longer than ${limitMs} ms`, { cause })
    throw new CheckLimitError('the check failed', { cause })
  } finally {
    clearInterval(timer)
  }
}
