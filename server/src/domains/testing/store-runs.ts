import { sql } from 'kysely'
import { type Db, lockRows, outcomeOf, type Tables, type Trx } from '../../db/index.ts'
import { enqueue } from '../../jobs/index.ts'
import type { Page } from '../../lib/cursor.ts'
import { recordEvent } from '../events/index.ts'

export type RunRow = Tables['test_runs']
type RunStatus = RunRow['status']

/** The queue of the jobs of runs; a job's payload is `LaneJob`. */
export const runQueue = 'test-run'

/** A lane of a run, which runs one case after another. */
export interface LaneJob {
  project_id: string
  run_id: string
  lane: number
}

export interface RunConditions {
  suiteId: string | undefined
  versionId: string | undefined
  status: RunStatus | undefined
}

const endEvents = {
  completed: 'run_completed',
  failed: 'run_failed',
  cancelled: 'run_cancelled',
} as const

export function passRateOf({ passed, failed }: Pick<RunRow, 'passed' | 'failed'>): number {
  return passed + failed === 0 ? 0 : passed / (passed + failed)
}

/** Ends a run and writes its event. The caller must have locked the row of the run. */
export async function endRun(trx: Trx, run: RunRow, status: keyof typeof endEvents): Promise<void> {
  const { project_id, run_id, suite_id, total, passed, failed, error } = run
  const now = Date.now()
  await trx
    .updateTable('test_runs')
    .set({ status, completed_at: now })
    .where('project_id', '=', project_id)
    .where('run_id', '=', run_id)
    .execute()
  await recordEvent(trx, {
    projectId: project_id,
    type: endEvents[status],
    data: {
      run_id,
      suite_id,
      status,
      total,
      passed,
      failed,
      pass_rate: passRateOf(run),
      ...(error !== null && { error }),
      timestamp: now,
    },
    createdMs: now,
  })
}

/** Locks the row of a run until the end of the transaction. */
export function lockRun(trx: Trx, db: Db, projectId: string, runId: string): Promise<RunRow | undefined> {
  const query = trx
    .selectFrom('test_runs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('run_id', '=', runId)
  return lockRows(db.dialect, query).executeTakeFirst()
}

/** Copies the current cases of the suite into the run. Returns their number. */
async function copyCases(trx: Trx, { project_id, run_id, suite_id }: RunRow): Promise<number> {
  const result = await trx
    .insertInto('test_results')
    .columns([
      'project_id',
      'run_id',
      'position',
      'case_id',
      'query',
      'expected_answer',
      'category',
      'assertions',
      'attempts',
    ])
    .expression((eb) =>
      eb
        .selectFrom('test_cases')
        .where('project_id', '=', project_id)
        .where('suite_id', '=', suite_id)
        .select([
          'project_id',
          sql<string>`cast(${run_id} as text)`.as('run_id'),
          sql<number>`cast(row_number() over (order by case_id) - 1 as integer)`.as('position'),
          'case_id',
          'query',
          'expected_answer',
          'category',
          'assertions',
          sql<number>`0`.as('attempts'),
        ]),
    )
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0n)
}

export type RunStore = ReturnType<typeof createRunStore>

export function createRunStore(db: Db) {
  return {
    /**
     * Writes a run with a copy of its cases and with its jobs. A run with an error gets no jobs and ends at once.
     */
    insert(row: RunRow): Promise<'inserted' | 'no_suite'> {
      const work = async (): Promise<'inserted'> => {
        await db.transaction(async (trx) => {
          await trx.insertInto('test_runs').values(row).execute()
          const total = await copyCases(trx, row)
          await trx
            .updateTable('test_runs')
            .set({ total })
            .where('project_id', '=', row.project_id)
            .where('run_id', '=', row.run_id)
            .execute()
          if (row.error !== null) return endRun(trx, { ...row, total }, 'failed')
          const { project_id, run_id } = row
          for (let lane = 0; lane < Math.max(1, Math.min(row.concurrency, total)); lane++) {
            const payload: LaneJob = { project_id, run_id, lane }
            await enqueue(trx, { queue: runQueue, projectId: project_id, payload })
          }
        })
        return 'inserted'
      }
      return outcomeOf(work, { missing: 'no_suite' })
    },

    find(projectId: string, runId: string): Promise<RunRow | undefined> {
      return db.read
        .selectFrom('test_runs')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('run_id', '=', runId)
        .executeTakeFirst()
    },

    /** Newest first. */
    list(projectId: string, conditions: RunConditions, { limit, after }: Page): Promise<RunRow[]> {
      const { suiteId, versionId, status } = conditions
      let query = db.read.selectFrom('test_runs').selectAll().where('project_id', '=', projectId)
      if (suiteId !== undefined) query = query.where('suite_id', '=', suiteId)
      if (versionId !== undefined) query = query.where('version_id', '=', versionId)
      if (status !== undefined) query = query.where('status', '=', status)
      if (after) query = query.where('run_id', '<', after.id)
      return query.orderBy('run_id', 'desc').limit(limit).execute()
    },

    /** Returns false if the run does not exist. */
    async update(
      projectId: string,
      runId: string,
      changes: Partial<Pick<RunRow, 'name' | 'notes'>>,
    ): Promise<boolean> {
      if (Object.keys(changes).length === 0) return (await this.find(projectId, runId)) !== undefined
      const result = await db.transaction((trx) =>
        trx
          .updateTable('test_runs')
          .set(changes)
          .where('project_id', '=', projectId)
          .where('run_id', '=', runId)
          .executeTakeFirst(),
      )
      return result.numUpdatedRows > 0n
    },

    /** Deletes a run with its results. Returns false if the run does not exist. */
    async delete(projectId: string, runId: string): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx
          .deleteFrom('test_runs')
          .where('project_id', '=', projectId)
          .where('run_id', '=', runId)
          .executeTakeFirst(),
      )
      return result.numDeletedRows > 0n
    },

    /** Ends a running run; a run that has ended does not change. Returns the previous row, undefined if there is none. */
    cancel(projectId: string, runId: string): Promise<RunRow | undefined> {
      return db.transaction(async (trx) => {
        const run = await lockRun(trx, db, projectId, runId)
        if (run?.status === 'running') await endRun(trx, run, 'cancelled')
        return run
      })
    },

    /** The last completed run of each suite for a version. */
    async latestOf(projectId: string, versionId: string): Promise<(RunRow & { suite_name: string })[]> {
      const latest = db.read
        .selectFrom('test_runs')
        .where('project_id', '=', projectId)
        .where('version_id', '=', versionId)
        .where('status', '=', 'completed')
        .groupBy('suite_id')
        .select((eb) => eb.fn.max('run_id').as('run_id'))
      return db.read
        .selectFrom('test_runs')
        .innerJoin('test_suites', (join) =>
          join
            .onRef('test_suites.project_id', '=', 'test_runs.project_id')
            .onRef('test_suites.suite_id', '=', 'test_runs.suite_id'),
        )
        .selectAll('test_runs')
        .select('test_suites.name as suite_name')
        .where('test_runs.project_id', '=', projectId)
        .where('test_runs.run_id', 'in', latest)
        .orderBy('test_runs.suite_id', 'desc')
        .execute()
    },
  }
}
