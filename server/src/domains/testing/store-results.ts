import type { ResultOutcome } from '@cairn/contract'
import type { Db, Tables, Trx } from '../../db/index.ts'
import { endRun, type LaneJob, lockRun, type RunRow } from './store-runs.ts'

export type ResultRow = Tables['test_results']

/** The result of a case to write. */
export type NewResult = Pick<
  ResultRow,
  'actual_output' | 'latency_ms' | 'cost' | 'judge_cost' | 'verdicts' | 'judgement' | 'trace_id' | 'error'
> & { passed: boolean }

/** A run, and the next case of a lane; undefined if no case is left. */
export interface Taken {
  run: RunRow
  next: ResultRow | undefined
}

/** A finished result; its column `finished` is never null. */
export type FinishedRow = Omit<ResultRow, 'project_id' | 'run_id' | 'lane' | 'attempts'>

export interface ComparedRow {
  position: number
  case_id: string
  query: string
  passed: number
  latency_ms: number
  cost: number | null
}

export type ResultStore = ReturnType<typeof createResultStore>

const finishedColumns = [
  'position',
  'case_id',
  'query',
  'expected_answer',
  'category',
  'assertions',
  'finished',
  'passed',
  'actual_output',
  'latency_ms',
  'cost',
  'judge_cost',
  'verdicts',
  'judgement',
  'trace_id',
  'error',
] as const

function resultsOf(
  trx: Trx,
  { project_id, run_id }: Pick<RunRow, 'project_id' | 'run_id'>,
  position: number,
) {
  return trx
    .updateTable('test_results')
    .where('project_id', '=', project_id)
    .where('run_id', '=', run_id)
    .where('position', '=', position)
}

/** Assigns the first free case to the lane. The caller must have locked the row of the run. */
async function takeNext(trx: Trx, run: RunRow, lane: number): Promise<ResultRow | undefined> {
  const position = run.next_position
  if (position >= run.total) return undefined
  await trx
    .updateTable('test_runs')
    .set({ next_position: position + 1 })
    .where('project_id', '=', run.project_id)
    .where('run_id', '=', run.run_id)
    .execute()
  return resultsOf(trx, run, position).set({ lane, attempts: 1 }).returningAll().executeTakeFirst()
}

export function createResultStore(db: Db) {
  return {
    /**
     * The first case of a lane: its unfinished case after a crash, otherwise the next free case. Returns undefined if the run
     * has ended or is deleted. A run without cases ends here.
     */
    begin({ project_id, run_id, lane }: LaneJob): Promise<Taken | undefined> {
      return db.transaction(async (trx) => {
        const run = await lockRun(trx, db, project_id, run_id)
        if (run?.status !== 'running') return undefined
        if (run.total === 0) {
          await endRun(trx, run, 'completed')
          return undefined
        }
        const left = await trx
          .selectFrom('test_results')
          .select('position')
          .where('project_id', '=', project_id)
          .where('run_id', '=', run_id)
          .where('lane', '=', lane)
          .where('finished', 'is', null)
          .executeTakeFirst()
        if (!left) return { run, next: await takeNext(trx, run, lane) }
        const next = await resultsOf(trx, run, left.position)
          .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
          .returningAll()
          .executeTakeFirst()
        return { run, next }
      })
    },

    /**
     * Writes the result of a case once, and takes the next case unless `take` is false. The last result ends the run. Writes
     * nothing and returns undefined if the run has ended or is deleted.
     */
    finish(
      { project_id, run_id, lane }: LaneJob,
      position: number,
      { passed, ...result }: NewResult,
      take: boolean,
    ): Promise<Taken | undefined> {
      return db.transaction(async (trx) => {
        const run = await lockRun(trx, db, project_id, run_id)
        if (run?.status !== 'running') return undefined
        const finished = run.passed + run.failed + 1
        const written = await resultsOf(trx, run, position)
          .where('finished', 'is', null)
          .set({ ...result, passed: passed ? 1 : 0, finished })
          .executeTakeFirst()
        // Another process had taken the case over and has written its result.
        if (written.numUpdatedRows === 0n) return { run, next: undefined }
        const sums = {
          passed: run.passed + (passed ? 1 : 0),
          failed: run.failed + (passed ? 0 : 1),
          errors: run.errors + (result.error === null ? 0 : 1),
          latency_sum: run.latency_sum + (result.latency_ms ?? 0),
          cost_sum: run.cost_sum + (result.cost ?? 0),
          judge_cost: run.judge_cost + (result.judge_cost ?? 0),
        }
        await trx
          .updateTable('test_runs')
          .set(sums)
          .where('project_id', '=', project_id)
          .where('run_id', '=', run_id)
          .execute()
        const updated = { ...run, ...sums }
        if (sums.passed + sums.failed === run.total) await endRun(trx, updated, 'completed')
        return { run: updated, next: take ? await takeNext(trx, updated, lane) : undefined }
      })
    },

    /** The first `finished` results that were written, in the order of the cases. */
    list(
      { project_id, run_id }: Pick<RunRow, 'project_id' | 'run_id'>,
      finished: number,
      page: { limit: number; after: number | undefined; outcome?: ResultOutcome | undefined },
    ): Promise<FinishedRow[]> {
      let query = db.read
        .selectFrom('test_results')
        .select(finishedColumns)
        .where('project_id', '=', project_id)
        .where('run_id', '=', run_id)
        .where('finished', '<=', finished)
      if (page.after !== undefined) query = query.where('position', '>', page.after)
      if (page.outcome) query = query.where('passed', '=', page.outcome === 'passed' ? 1 : 0)
      if (page.outcome === 'failed') query = query.where('error', 'is', null)
      if (page.outcome === 'error') query = query.where('error', 'is not', null)
      return query.orderBy('position').limit(page.limit).execute()
    },

    /** All results of a run without their long texts, in the order of the cases. */
    async forComparison({
      project_id,
      run_id,
    }: Pick<RunRow, 'project_id' | 'run_id'>): Promise<ComparedRow[]> {
      const rows = await db.read
        .selectFrom('test_results')
        .select(['position', 'case_id', 'query', 'passed', 'latency_ms', 'cost'])
        .where('project_id', '=', project_id)
        .where('run_id', '=', run_id)
        .where('finished', 'is not', null)
        .orderBy('position')
        .execute()
      return rows as ComparedRow[]
    },
  }
}
