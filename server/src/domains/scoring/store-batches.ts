import type { ScoringState } from '@cairn/contract'
import { sql } from 'kysely'
import {
  type Db,
  lockRows,
  newestFirst,
  orAbort,
  outcomeOf,
  type RowInsert,
  type Tables,
  type Trx,
} from '../../db/index.ts'
import { type Deletion, deletionOf, enqueue, jobOf, withdraw } from '../../jobs/index.ts'
import type { Page } from '../../lib/cursor.ts'
import { inProject } from '../access/index.ts'
import { type ScoreRow, scoreInsert } from '../scores/index.ts'
import { existingTraces, type TracePosition } from '../traces/index.ts'
import { type Outcome, type Tally, tally } from './outcome.ts'

export type ScoringRow = Tables['scorings']

/** The queue of batches; a job's payload is `BatchJob`. */
export const batchQueue = 'scoring-batch'

export interface BatchJob {
  project_id: string
  scoring_id: string
}

interface Advance {
  outcomes: Outcome[]
  scores: ScoreRow[]
  end: TracePosition
}

export type BatchStore = ReturnType<typeof createBatchStore>

export function createBatchStore(db: Db) {
  /** Reads the batch and locks its row until the end of the transaction. */
  async function lock(trx: Trx, projectId: string, scoringId: string): Promise<ScoringRow | undefined> {
    const query = trx
      .selectFrom('scorings')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('scoring_id', '=', scoringId)
    return lockRows(db.dialect, query).executeTakeFirst()
  }

  async function update(
    trx: Trx,
    { project_id, scoring_id }: BatchJob,
    values: Partial<ScoringRow>,
  ): Promise<void> {
    await trx
      .updateTable('scorings')
      .set(values)
      .where('project_id', '=', project_id)
      .where('scoring_id', '=', scoring_id)
      .execute()
  }

  /**
   * The statement that advances the batch, and aborts the transaction if the row has another step. It needs no read in the
   * transaction, because on SQLite the recording of traces waits for it.
   */
  function advanceStatement(row: ScoringRow, sum: Tally, end: TracePosition) {
    return db.read
      .updateTable('scorings')
      .set((eb) => ({
        step: orAbort(sql`step = ${row.step} and state = 'running'`, sql<number>`step + 1`),
        after_ms: end.createdMs,
        after_id: end.traceId,
        done: eb('done', '+', sum.scored),
        failed: eb('failed', '+', sum.failed),
        already_scored: eb('already_scored', '+', sum.already_scored),
        no_expected_output: eb('no_expected_output', '+', sum.no_expected_output),
        deleted: eb('deleted', '+', sum.deleted),
        score_sum: eb('score_sum', '+', sum.scoreSum),
        cost: eb('cost', '+', sum.cost),
      }))
      .where('project_id', '=', row.project_id)
      .where('scoring_id', '=', row.scoring_id)
      .compile()
  }

  function find(projectId: string, scoringId: string): Promise<ScoringRow | undefined> {
    return db.read
      .selectFrom('scorings')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('scoring_id', '=', scoringId)
      .executeTakeFirst()
  }

  return {
    /** Writes a batch and its job. */
    insert(row: ScoringRow): Promise<'inserted' | 'no_project'> {
      const { project_id, scoring_id } = row
      return inProject(db, project_id, async (trx) => {
        await trx.insertInto('scorings').values(row).execute()
        const payload: BatchJob = { project_id, scoring_id }
        await enqueue(trx, { jobId: jobOf(scoring_id), queue: batchQueue, projectId: project_id, payload })
        return 'inserted'
      })
    },

    find,

    /** Newest first; `after` is the last batch of the previous page. */
    list(
      projectId: string,
      { scorer, state }: { scorer: string | undefined; state: ScoringState | undefined },
      page: Page,
    ): Promise<ScoringRow[]> {
      let query = db.read.selectFrom('scorings').selectAll().where('project_id', '=', projectId)
      if (scorer !== undefined) query = query.where('scorer', '=', scorer)
      if (state !== undefined) query = query.where('state', '=', state)
      return newestFirst(query, ['created_at', 'scoring_id'], page).execute()
    },

    /** Newest first. */
    failures(projectId: string, scoringId: string, page: Page): Promise<Tables['scoring_failures'][]> {
      const query = db.read
        .selectFrom('scoring_failures')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('scoring_id', '=', scoringId)
      return newestFirst(query, ['failed_at', 'trace_id'], page).execute()
    },

    /** Stores the number of traces to score. */
    setTotal(row: ScoringRow, total: number): Promise<void> {
      return db.transaction((trx) => update(trx, row, { total }))
    },

    /**
     * Writes the outcomes of the next traces, up to `end`, and returns the advanced batch. Writes nothing and returns
     * undefined if the batch is no longer running, or its step differs from `row`.
     */
    async advance(row: ScoringRow, { outcomes, scores, end }: Advance): Promise<ScoringRow | undefined> {
      const ids = outcomes.map(({ traceId }) => traceId)
      // The deleted traces are looked up only after a failed attempt, because each read makes the transaction longer.
      let existing: ReadonlySet<string> = new Set(ids)
      for (;;) {
        const sum = tally(outcomes, existing)
        const inserts = [
          scoreInsert(scores.filter(({ trace_id }) => existing.has(trace_id))),
          failureInsert(row, outcomes),
        ]
        const write = async (): Promise<'written'> => {
          await db.insertAll(inserts, [advanceStatement(row, sum, end)])
          return 'written'
        }
        const outcome = await outcomeOf(write, { missing: 'missing', aborted: 'other_step' })
        if (outcome === 'written') return advanced(row, sum, end)
        if (outcome === 'other_step') return undefined
        const left = await existingTraces(db, row.project_id, ids)
        // No trace is missing, so the batch may have been deleted with its project.
        if (left.size === existing.size && !(await find(row.project_id, row.scoring_id))) return undefined
        if (left.size === existing.size) throw new Error('a batch could not be advanced')
        existing = left
      }
    },

    /** Ends a running batch. A batch that has ended does not change. */
    end(
      { project_id, scoring_id }: BatchJob,
      state: Exclude<ScoringState, 'running'>,
      error: string | null = null,
    ): Promise<void> {
      return db.transaction(async (trx) => {
        const now = await lock(trx, project_id, scoring_id)
        if (now?.state !== 'running') return
        const total = now.done + now.failed + now.already_scored + now.no_expected_output + now.deleted
        const counted = state === 'completed' ? { total } : {}
        await update(trx, now, { state, error, completed_at: Date.now(), ...counted })
        // A running job notices the cancellation at its next step.
        if (state === 'cancelled') await withdraw(trx, jobOf(scoring_id))
      })
    },
  }
}

function advanced(row: ScoringRow, sum: Tally, end: TracePosition): ScoringRow {
  return {
    ...row,
    step: row.step + 1,
    after_ms: end.createdMs,
    after_id: end.traceId,
    done: row.done + sum.scored,
    failed: row.failed + sum.failed,
    already_scored: row.already_scored + sum.already_scored,
    no_expected_output: row.no_expected_output + sum.no_expected_output,
    deleted: row.deleted + sum.deleted,
  }
}

function failureInsert({ project_id, scoring_id }: BatchJob, outcomes: readonly Outcome[]): RowInsert {
  const failed_at = Date.now()
  const rows = outcomes
    .flatMap((outcome) => (outcome.kind === 'failed' ? [outcome] : []))
    .sort((a, b) => (a.traceId < b.traceId ? -1 : 1))
    .map(({ traceId, reason }) => [project_id, scoring_id, traceId, reason, failed_at])
  const columns = ['project_id', 'scoring_id', 'trace_id', 'reason', 'failed_at']
  return { table: 'scoring_failures', columns, rows }
}

/** The steps of a project's deletion that delete its batches and rules. */
export function scoringDeletion(db: Db): Deletion['steps'] {
  return [
    deletionOf(db, {
      table: 'scoring_failures',
      key: ['project_id', 'scoring_id', 'trace_id'],
      column: 'project_id',
    }),
    deletionOf(db, {
      table: 'scoring_arrivals',
      key: ['project_id', 'rule_id', 'arrival_id'],
      column: 'project_id',
    }),
    deletionOf(db, { table: 'scorings', key: ['project_id', 'scoring_id'], column: 'project_id' }),
    deletionOf(db, { table: 'scoring_rules', key: ['project_id', 'rule_id'], column: 'project_id' }),
  ]
}
