import { sql } from 'kysely'
import { type Db, insertRows, outcomeOf, type RowInsert, type Tables, type Trx } from '../../db/index.ts'
import { type Deletion, deletionOf, endJob, standingJobs } from '../../jobs/index.ts'
import { type ScoreRow, scoreInsert } from '../scores/index.ts'
import {
  type ImportProgress,
  newTraceInserts,
  type ReadTrace,
  type Replacement,
  readStoredTraces,
  replaceTraces,
} from '../traces/index.ts'

/** The queue of the jobs that put traces together; a job's payload is `AssemblyJob`. */
export const assemblyQueue = 'otlp'

export interface AssemblyJob {
  project_id: string
}

/** Received spans of one trace, encoded as a JSON list. */
export interface InboxItem {
  projectId: string
  itemId: string
  traceId: string
  spanCount: number
  bytes: Buffer
}

/** A row of spans that are in no trace yet. */
export type PendingItem = Pick<Tables['otlp_pending'], 'item_id' | 'trace_id' | 'span_bytes'>

/** The spans of a trace that are stored, in a trace already or not. */
export interface TraceSize {
  spans: number
  bytes: number
  /** The part that is in no trace yet. It may contain repeated spans. */
  pendingSpans: number
  isDeleted: boolean
}

export type AssembledRow = Omit<Tables['otlp_traces'], 'project_id' | 'deleted_at'>

/** The result of putting traces together, for one transaction. */
export interface Assembly extends Replacement {
  /** None of the traces has been assembled before, so none can have been deleted since its spans were read. */
  isNew: boolean
  /** The rows of spans that were in no trace yet. */
  items: readonly string[]
  /** One for each trace. */
  rows: readonly AssembledRow[]
  /** Rows of spans to delete: later ones have replaced them, or the items below contain their spans. */
  superseded: readonly { traceId: string; itemId: string }[]
  /** Rows of spans that are already in the traces. */
  rewritten: readonly InboxItem[]
  /** Scores; those that exist are not written again. */
  scores: readonly ScoreRow[]
  /** Other rows of the same transaction. */
  inserts: readonly RowInsert[]
}

/** Delay of the job, so that the spans of a trace from several requests are put together once. */
const gatherMs = 250

function jobIdOf(projectId: string): string {
  return `otlp_${projectId}`
}

/** Pending rows have changed since they were read, so the transaction is rolled back. */
export class PendingChangedError extends Error {}

/** Deletes the spans of deleted traces, in the transaction that deletes the traces. Their later spans are rejected. */
export async function deleteSpans(trx: Trx, projectId: string, traceIds: readonly string[]): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('otlp_spans')
    .where('project_id', '=', projectId)
    .where('trace_id', 'in', traceIds)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return
  await trx
    .deleteFrom('otlp_pending')
    .where('project_id', '=', projectId)
    .where('trace_id', 'in', traceIds)
    .execute()
  await trx
    .updateTable('otlp_traces')
    .set({ span_count: 0, span_bytes: 0, deleted_at: Date.now() })
    .where('project_id', '=', projectId)
    .where('trace_id', 'in', traceIds)
    .execute()
}

/** The steps of a project's deletion that delete its spans. */
export function otlpDeletion(db: Db): Deletion['steps'] {
  const column = 'project_id'
  return [
    deletionOf(db, { table: 'otlp_pending', key: ['project_id', 'item_id'], column }),
    deletionOf(db, { table: 'otlp_spans', key: ['project_id', 'trace_id', 'item_id'], column }),
    deletionOf(db, { table: 'otlp_traces', key: ['project_id', 'trace_id'], column }),
  ]
}

export type OtlpStore = ReturnType<typeof createOtlpStore>

export function createOtlpStore(db: Db) {
  /**
   * For traces that do not exist. If another process has written one of them, the insert of the trace fails, so the pending
   * rows need not be counted. A crash may lose the write; the pending rows are then still there.
   */
  async function insertNew(projectId: string, assembly: Assembly): Promise<'written'> {
    const { traces, rows, scores, inserts, items } = assembly
    const pending = pendingRows(db.read, projectId, items).compile()
    const all = [
      ...newTraceInserts(db.dialect, traces),
      assembledUpsert(projectId, rows),
      newScores(scores),
      ...inserts,
    ]
    await db.insertAll(all, items.length === 0 ? [] : [pending], { durable: false })
    return 'written'
  }

  function replace(projectId: string, assembly: Assembly): Promise<'written'> {
    return db.transaction(async (trx): Promise<'written'> => {
      await replaceTraces(trx, db.dialect, projectId, assembly)
      await takePending(trx, projectId, assembly.items)
      for (const { traceId, itemId } of assembly.superseded) {
        await trx
          .deleteFrom('otlp_spans')
          .where('project_id', '=', projectId)
          .where('trace_id', '=', traceId)
          .where('item_id', '=', itemId)
          .execute()
      }
      await insertRows(trx, spanInsert(assembly.rewritten))
      await insertRows(trx, assembledUpsert(projectId, assembly.rows))
      await insertRows(trx, newScores(assembly.scores))
      for (const insert of assembly.inserts) await insertRows(trx, insert)
      return 'written'
    })
  }

  /** The rows of items, and of the jobs that put their traces together. */
  function receivedInserts(items: readonly InboxItem[]): RowInsert[] {
    const runAt = Date.now() + gatherMs
    const jobs = [...new Set(items.map(({ projectId }) => projectId))].map((projectId) => {
      const payload: AssemblyJob = { project_id: projectId }
      return { jobId: jobIdOf(projectId), queue: assemblyQueue, projectId, payload, runAt }
    })
    return [
      spanInsert(items),
      {
        table: 'otlp_pending',
        columns: ['project_id', 'item_id', 'trace_id', 'span_count', 'span_bytes'],
        rows: items.map(({ projectId, itemId, traceId, spanCount, bytes }) => [
          projectId,
          itemId,
          traceId,
          spanCount,
          bytes.length,
        ]),
      },
      standingJobs(jobs),
    ]
  }

  return {
    /** Writes items, and ensures the jobs that put their traces together. */
    insert(items: readonly InboxItem[], durable: boolean): Promise<'inserted' | 'no_project'> {
      const inserts = receivedInserts(items)
      const write = () => db.insertAll(inserts, [], { durable }).then((): 'inserted' => 'inserted')
      return outcomeOf(write, { missing: 'no_project' })
    },

    /** The same for a step of an import, with the progress of the import. */
    insertStep(
      items: readonly InboxItem[],
      progress: readonly ImportProgress[],
    ): Promise<'inserted' | 'no_project' | 'import_conflict'> {
      const inserts = [...(items.length > 0 ? receivedInserts(items) : []), ...progress]
      const write = () => db.insertAll(inserts).then((): 'inserted' => 'inserted')
      return outcomeOf(write, { missing: 'no_project', aborted: 'import_conflict' })
    },

    /** The sizes of the given traces; traces without spans are left out. */
    async sizes(projectId: string, traceIds: readonly string[]): Promise<Map<string, TraceSize>> {
      const sizes = new Map<string, TraceSize>()
      const rows = await db.read
        .selectFrom('otlp_traces')
        .select(['trace_id', 'span_count', 'span_bytes', 'deleted_at', sql<number>`0`.as('is_pending')])
        .where('project_id', '=', projectId)
        .where('trace_id', 'in', traceIds)
        .unionAll((eb) =>
          eb
            .selectFrom('otlp_pending')
            .select([
              'trace_id',
              'span_count',
              'span_bytes',
              sql<number | null>`cast(null as bigint)`.as('deleted_at'),
              sql<number>`1`.as('is_pending'),
            ])
            .where('project_id', '=', projectId)
            .where('trace_id', 'in', traceIds),
        )
        .execute()
      for (const { trace_id, span_count, span_bytes, deleted_at, is_pending } of rows) {
        const size = sizes.get(trace_id) ?? { spans: 0, bytes: 0, pendingSpans: 0, isDeleted: false }
        size.spans += span_count
        size.bytes += span_bytes
        if (is_pending === 1) size.pendingSpans += span_count
        if (deleted_at !== null) size.isDeleted = true
        sizes.set(trace_id, size)
      }
      return sizes
    },

    /** The oldest rows of spans that are in no trace yet, up to a row. */
    pending(projectId: string, upTo: string, limit: number): Promise<PendingItem[]> {
      return db.read
        .selectFrom('otlp_pending')
        .select(['item_id', 'trace_id', 'span_bytes'])
        .where('project_id', '=', projectId)
        .where('item_id', '<=', upTo)
        .orderBy('item_id')
        .limit(limit)
        .execute()
    },

    /** All such rows of the given traces. */
    pendingOf(projectId: string, traceIds: readonly string[]): Promise<PendingItem[]> {
      return db.read
        .selectFrom('otlp_pending')
        .select(['item_id', 'trace_id', 'span_bytes'])
        .where('project_id', '=', projectId)
        .where('trace_id', 'in', traceIds)
        .execute()
    },

    /** The assembled or deleted ones of the given traces. */
    assembled(projectId: string, traceIds: readonly string[]): Promise<Tables['otlp_traces'][]> {
      return db.read
        .selectFrom('otlp_traces')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('trace_id', 'in', traceIds)
        .execute()
    },

    /** All spans of the given traces in the order of their arrival. */
    spans(projectId: string, traceIds: readonly string[]): Promise<Tables['otlp_spans'][]> {
      return db.read
        .selectFrom('otlp_spans')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('trace_id', 'in', traceIds)
        .orderBy('trace_id')
        .orderBy('item_id')
        .execute()
    },

    storedTraces: (projectId: string, ids: readonly string[]): Promise<ReadTrace[]> =>
      readStoredTraces(db, projectId, ids),

    /**
     * Writes traces and takes their spans out of the pending ones, in one transaction. Returns `changed`, and writes
     * nothing, if another process has written or deleted one of the traces since they were read.
     * @throws PendingChangedError, TraceChangedError in the same case
     */
    write(projectId: string, assembly: Assembly): Promise<'written' | 'changed' | 'no_project'> {
      const write = assembly.isNew ? insertNew : replace
      return outcomeOf(() => write(projectId, assembly), { missing: 'no_project', duplicate: 'changed' })
    },

    /** The ids of the scores of each trace. */
    async scoreIds(projectId: string, traceIds: readonly string[]): Promise<Map<string, Set<string>>> {
      const ids = new Map<string, Set<string>>()
      if (traceIds.length === 0) return ids
      const rows = await db.read
        .selectFrom('scores')
        .select(['trace_id', 'score_id'])
        .where('project_id', '=', projectId)
        .where('trace_id', 'in', traceIds)
        .execute()
      for (const { trace_id, score_id } of rows) {
        const known = ids.get(trace_id)
        if (known) known.add(score_id)
        else ids.set(trace_id, new Set([score_id]))
      }
      return ids
    },

    /** Writes more scores of traces that are written. Returns `gone` if one of the traces was deleted. */
    addScores(scores: readonly ScoreRow[]): Promise<'added' | 'gone'> {
      const write = () => db.insertAll([newScores(scores)], [], { durable: false })
      return outcomeOf(() => write().then((): 'added' => 'added'), { missing: 'gone' })
    },

    /** Takes the items of written traces out of the pending ones. */
    async settle(projectId: string, items: readonly string[]): Promise<void> {
      await db.transaction((trx) => pendingRows(trx, projectId, items).execute())
    },

    /** Deletes spans of deleted traces that arrived while the trace was deleted. */
    async dropDeleted(projectId: string, traceIds: readonly string[]): Promise<void> {
      await db.transaction((trx) => deleteSpans(trx, projectId, traceIds))
    },

    /** Ends the job of a project, unless spans wait. Returns whether it ended. */
    endJob(projectId: string): Promise<boolean> {
      return db.transaction((trx) =>
        endJob(trx, db.dialect, jobIdOf(projectId), async () => {
          const left = await trx
            .selectFrom('otlp_pending')
            .select('item_id')
            .where('project_id', '=', projectId)
            .limit(1)
            .executeTakeFirst()
          return left !== undefined
        }),
      )
    },

    /** Forgets the traces that were deleted before a time (epoch ms). */
    async forgetDeleted(projectId: string, beforeMs: number): Promise<void> {
      await db.transaction((trx) =>
        trx
          .deleteFrom('otlp_traces')
          .where('project_id', '=', projectId)
          .where('deleted_at', '<', beforeMs)
          .execute(),
      )
    },
  }
}

/** Scores that exist are not written again. */
function newScores(scores: readonly ScoreRow[]): RowInsert {
  return { ...scoreInsert(scores), conflict: 'on conflict (project_id, trace_id, score_id) do nothing' }
}

function spanInsert(items: readonly InboxItem[]): RowInsert {
  return {
    table: 'otlp_spans',
    columns: ['project_id', 'trace_id', 'item_id', 'spans'],
    rows: items.map(({ projectId, traceId, itemId, bytes }) => [projectId, traceId, itemId, bytes]),
  }
}

function pendingRows(db: Db['read'], projectId: string, items: readonly string[]) {
  return db.deleteFrom('otlp_pending').where('project_id', '=', projectId).where('item_id', 'in', items)
}

async function takePending(trx: Trx, projectId: string, items: readonly string[]): Promise<void> {
  if (items.length === 0) return
  const { numDeletedRows } = await pendingRows(trx, projectId, items).executeTakeFirst()
  if (Number(numDeletedRows) !== items.length) throw new PendingChangedError()
}

function assembledUpsert(projectId: string, rows: readonly AssembledRow[]): RowInsert {
  const sorted = rows.toSorted((a, b) => (a.trace_id < b.trace_id ? -1 : 1))
  const changed = ['span_count', 'span_bytes', 'has_root']
  return {
    table: 'otlp_traces',
    columns: ['project_id', 'trace_id', ...changed],
    rows: sorted.map(({ trace_id, span_count, span_bytes, has_root }) => [
      projectId,
      trace_id,
      span_count,
      span_bytes,
      has_root,
    ]),
    conflict: `on conflict (project_id, trace_id) do update set ${changed.map((name) => `${name} = excluded.${name}`).join(', ')}`,
  }
}
