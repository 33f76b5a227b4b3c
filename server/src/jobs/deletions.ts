import type { Kysely } from 'kysely'
import { type Db, deleteSome, type RowsOf, type Tables } from '../db/index.ts'
import type { JobOutcome, Queue } from './runner.ts'
import { enqueue } from './store.ts'
import { turnMs } from './turns.ts'

/** The queue of jobs that delete, in steps, what has the state `deleting`. */
export const deletionQueue = 'deletions'

type Deletable = 'project' | 'chat' | 'application'

interface DeletionJob {
  what: Deletable
  id: string
}

/**
 * What one short transaction of a deletion leaves: `more` to delete, `nothing`, or something that `waits` for the end of
 * another deletion.
 */
export type DeletionStep = 'more' | 'nothing' | 'waits'

/** How something is deleted. Each may be called again at any point: after a kill, or by two processes at once. */
export interface Deletion {
  /** Steps that delete what belongs to it, each until nothing is left. */
  steps: readonly ((id: string) => Promise<DeletionStep>)[]
  /** Deletes its row, when little is left that goes with it. */
  finish: (id: string) => Promise<void>
}

/** For the transaction that gives something the state `deleting`: the job goes on after a restart. */
export async function enqueueDeletion(
  trx: Kysely<Tables>,
  { projectId, ...payload }: DeletionJob & { projectId: string },
): Promise<void> {
  await enqueue(trx, { jobId: `delete_${payload.id}`, queue: deletionQueue, projectId, payload })
}

/** A step that deletes some rows of what is being deleted. */
export function deletionOf(db: Db, rows: RowsOf): Deletion['steps'][number] {
  return async (id) => ((await deleteSome(db, rows, id)) ? 'more' : 'nothing')
}

/** How long a deletion rests that waits for another one. */
const restMs = 100

export function deletionJobs(deletions: Record<Deletable, Deletion>): Queue {
  async function carryOut({ steps, finish }: Deletion, id: string, signal: AbortSignal): Promise<JobOutcome> {
    const endOfTurn = Date.now() + turnMs
    for (const step of steps) {
      for (let left = await step(id); left !== 'nothing'; left = await step(id)) {
        if (left === 'waits') return { retryAt: Date.now() + restMs }
        signal.throwIfAborted()
        if (Date.now() >= endOfTurn) return 'again'
      }
    }
    await finish(id)
    return 'done'
  }

  return {
    concurrency: 4,
    perProject: 1,
    // Whatever fails, a deletion is not given up.
    maxAttempts: Number.POSITIVE_INFINITY,
    backoff: { baseMs: 1_000, maxMs: 60_000 },
    run({ payload }, signal) {
      const { what, id } = payload as DeletionJob
      return carryOut(deletions[what], id, signal)
    },
  }
}
