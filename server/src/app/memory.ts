import os from 'node:os'
import { CairnError } from '@cairn/contract'
import type { Config } from '../config.ts'
import { FreeMemory, loadMallocTrim } from '../lib/free-memory.ts'
import { MemoryBudget } from '../lib/memory-budget.ts'
import type { Services } from './services.ts'

/** Memory that a server needs beside the search indexes. */
const baseBytes = 384 * 1024 * 1024
/** Share of the machine's memory, or the container's, that the budget may take when it is not configured. */
const share = 0.8
/** Caches are loaded again from the database, so that they are not freed more often than this. */
const checkMs = 5_000

const resident = () => process.memoryUsage.rss()

function defaultBudget(indexBytes: number): number {
  // Without a limit of the container this is 0, or more than the machine has.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(baseBytes + indexBytes, Math.floor(share * Math.min(limit, os.totalmem())))
}

/** The memory budget of the process; under pressure the search indexes give way. */
export function createMemoryBudget(
  { memoryBytes, indexBytes }: Config,
  { retrieval }: Pick<Services, 'retrieval'>,
): MemoryBudget {
  return new MemoryBudget({
    bytes: memoryBytes ?? defaultBudget(indexBytes),
    resident,
    relieve: () => retrieval.shrink(),
    refusal: () =>
      new CairnError(
        'overloaded',
        'the server uses more memory than CAIRN_MEMORY_BYTES, so each project has one large request at a time; try again when yours has ended',
        { retryAfter: 2 },
      ),
  })
}

/** Keeps memory low; returns a function that stops it. */
export function startMemoryChecks(budget: MemoryBudget): () => void {
  // Loaded when it is first needed, because most starts do not need it.
  let loading: ReturnType<typeof loadMallocTrim> | undefined
  const trim = async () => {
    loading ??= loadMallocTrim()
    const mallocTrim = await loading
    await mallocTrim?.()
  }
  const free = new FreeMemory({ resident, trim })
  const timer = setInterval(() => {
    budget.check()
    void free.check()
  }, checkMs).unref()
  return () => clearInterval(timer)
}
