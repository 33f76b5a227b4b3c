import { type CompiledQuery, type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
import { claimedBy, lockRows } from '../db/dialect.ts'
import type { Db, RowInsert, Tables, Trx } from '../db/index.ts'
import { newId } from '../lib/ids.ts'
import { storable } from '../lib/storable.ts'
import type { Claim } from './turns.ts'

/** A job that this process holds; `token` proves it until the lease ends. */
export interface ClaimedJob {
  jobId: string
  queue: string
  projectId: string
  payload: unknown
  /** Number of starts, including this one. */
  attempt: number
  token: string
}

export interface NewJob {
  jobId?: string
  queue: string
  /** The project of the job: projects take turns. */
  projectId: string
  /** Stored as JSON. */
  payload: object
  /** When the job is due, epoch milliseconds; default now. */
  runAt?: number
}

function jobRow({ jobId = newId('job_'), queue, projectId, payload, runAt }: NewJob): Tables['jobs'] {
  const now = Date.now()
  return {
    job_id: jobId,
    queue,
    project_id: projectId,
    payload: JSON.stringify(payload),
    status: 'queued',
    run_at: runAt ?? now,
    lock_token: null,
    attempts: 0,
    last_error: null,
    created_at: now,
  }
}

/**
 * Writes a job in the caller's transaction, so that the job exists exactly if the change exists. If a job with the same
 * id exists, it stays unchanged, and the result is false.
 */
export async function enqueue(trx: Kysely<Tables>, job: NewJob): Promise<boolean> {
  const result = await trx
    .insertInto('jobs')
    .values(jobRow(job))
    .onConflict((conflict) => conflict.column('job_id').doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Which jobs a statement finds; each column is of this name. */
type FoundJobs = Expression<{ job_id: string; project_id: string; payload: string }>

/**
 * The statement that writes a job for each row of a query, to be sent with others that it follows. A job of the same id
 * is left as it is.
 */
export function enqueueFrom(
  db: Kysely<Tables>,
  { queue, runAt, createdAt }: { queue: string; runAt: number; createdAt: number },
  found: FoundJobs,
): CompiledQuery {
  const jobs = db
    .selectFrom(sql<Pick<Tables['jobs'], 'job_id' | 'project_id' | 'payload'>>`(${found})`.as('found'))
    .select(['found.job_id', 'found.project_id', 'found.payload'])
    .select([
      sql<string>`cast(${queue} as text)`.as('queue'),
      sql<'queued'>`${sql.lit('queued')}`.as('status'),
      sql<number>`cast(${runAt} as bigint)`.as('run_at'),
      sql<number>`0`.as('attempts'),
      sql<number>`cast(${createdAt} as bigint)`.as('created_at'),
    ])
    // SQLite reads "on conflict" behind a bare table as the condition of a join.
    .where(sql<boolean>`true`)
  return db
    .insertInto('jobs')
    .columns(['job_id', 'project_id', 'payload', 'queue', 'status', 'run_at', 'attempts', 'created_at'])
    .expression(jobs)
    .onConflict((conflict) => conflict.column('job_id').doNothing())
    .compile()
}

/**
 * Ensures that jobs exist, in the transaction that also writes their work. A job with the same id stays unchanged, and
 * `endJob` cannot end it before this transaction ends.
 */
export function standingJobs(jobs: readonly NewJob[]): RowInsert {
  const rows = jobs.map(jobRow).sort((a, b) => (a.job_id < b.job_id ? -1 : 1))
  const columns = Object.keys(rows[0] ?? {}) as (keyof Tables['jobs'])[]
  return {
    table: 'jobs',
    columns,
    rows: rows.map((row) => columns.map((column) => row[column])),
    conflict: 'on conflict (job_id) do update set created_at = jobs.created_at',
  }
}

/**
 * Ends a job from within its own run, unless there is more work. The row lock ensures that `standingJobs` adds no work
 * between the check and the end. Returns whether the job has ended.
 */
export async function endJob(
  trx: Trx,
  dialect: Db['dialect'],
  jobId: string,
  hasWork: (trx: Trx) => Promise<boolean>,
): Promise<boolean> {
  const query = trx.selectFrom('jobs').select('job_id').where('job_id', '=', jobId)
  await lockRows(dialect, query).execute()
  if (await hasWork(trx)) return false
  await trx.deleteFrom('jobs').where('job_id', '=', jobId).execute()
  return true
}

/** Makes the jobs of a queue due that wait after a failure. */
export async function dueNow(trx: Kysely<Tables>, queue: string): Promise<void> {
  await trx
    .updateTable('jobs')
    .set({ run_at: Date.now() })
    .where('queue', '=', queue)
    .where('status', '=', 'queued')
    .where('lock_token', 'is', null)
    .where('last_error', 'is not', null)
    .execute()
}

/** Deletes a job that is not running, whether it is waiting or dead. */
export async function withdraw(trx: Kysely<Tables>, jobId: string): Promise<void> {
  await trx.deleteFrom('jobs').where('job_id', '=', jobId).where('lock_token', 'is', null).execute()
}

const errorLength = 1000

/** The projects with due jobs. It needs one index lookup per project, whatever the number of its jobs. */
export function dueProjects(queue: string): RawBuilder<{ project_id: string }> {
  const jobs = sql`from jobs where jobs.queue = ${queue} and jobs.status = 'queued'`
  return sql<{ project_id: string }>`
    with recursive projects_with_jobs (project_id) as (
      select (select min(jobs.project_id) ${jobs})
      union all
      select (select min(jobs.project_id) ${jobs} and jobs.project_id > projects_with_jobs.project_id)
      from projects_with_jobs where projects_with_jobs.project_id is not null)
    select project_id from projects_with_jobs
    where project_id is not null and exists (
      select 1 ${jobs} and jobs.project_id = projects_with_jobs.project_id and jobs.run_at <= ${Date.now()})`
}

export type JobStore = ReturnType<typeof createJobStore>

export function createJobStore(db: Db) {
  /** Changes a job that is held under this claim; returns false if the lease was lost. */
  async function settle(job: ClaimedJob, values: Partial<Tables['jobs']>): Promise<boolean> {
    const result = await db.transaction((trx) =>
      trx
        .updateTable('jobs')
        .set(values)
        .where('job_id', '=', job.jobId)
        .where('lock_token', '=', job.token)
        .executeTakeFirst(),
    )
    return result.numUpdatedRows > 0n
  }

  return {
    /** When the next job of the queue is due, or the next lease of a running job ends. */
    async nextDue(queue: string): Promise<number | undefined> {
      const row = await db.read
        .selectFrom('jobs')
        .select('run_at')
        .where('queue', '=', queue)
        .where('status', '=', 'queued')
        .orderBy('run_at')
        .limit(1)
        .executeTakeFirst()
      return row?.run_at
    },

    /** The projects with due jobs. */
    async dueProjects(queue: string): Promise<string[]> {
      const { rows } = await dueProjects(queue).execute(db.read)
      return rows.map(({ project_id }) => project_id)
    },

    /** Claims due jobs of each project, longest due first, until the lease ends. */
    async claim(queue: string, claims: readonly Claim[], leaseMs: number): Promise<ClaimedJob[]> {
      const token = newId('lock')
      const rows = await db.transaction(async (trx) => {
        const now = Date.now()
        const claimed = []
        for (const { projectId, most } of claims) {
          const due = trx
            .selectFrom('jobs')
            .select('job_id')
            .where('queue', '=', queue)
            .where('status', '=', 'queued')
            .where('project_id', '=', projectId)
            .where('run_at', '<=', now)
            .orderBy('run_at')
            .orderBy('job_id')
            .limit(most)
          const locked = db.dialect === 'postgres' ? due.forUpdate().skipLocked() : due
          const taken = await trx
            .updateTable('jobs')
            .set((eb) => ({ run_at: now + leaseMs, lock_token: token, attempts: eb('attempts', '+', 1) }))
            .where(claimedBy(db.dialect, 'job_id', locked))
            .returning(['job_id', 'project_id', 'payload', 'attempts'])
            .execute()
          claimed.push(...taken)
        }
        return claimed
      })
      return rows
        .map((row) => ({
          jobId: row.job_id,
          queue,
          projectId: row.project_id,
          payload: JSON.parse(row.payload) as unknown,
          attempt: row.attempts,
          token,
        }))
        .sort((a, b) => (a.jobId < b.jobId ? -1 : 1))
    },

    /** Returns false if the lease was lost: another process holds the job now. */
    renew: (job: ClaimedJob, until: number) => settle(job, { run_at: until }),

    async finish(job: ClaimedJob): Promise<void> {
      await db.transaction((trx) =>
        trx.deleteFrom('jobs').where('job_id', '=', job.jobId).where('lock_token', '=', job.token).execute(),
      )
    },

    retryAt: (job: ClaimedJob, at: number, error: string | null) =>
      settle(job, {
        run_at: at,
        lock_token: null,
        last_error: error && storable(error.slice(0, errorLength)),
      }),

    /** Returns an unfinished job to the queue; the try does not count, and has no error. */
    release: (job: ClaimedJob) =>
      settle(job, { run_at: Date.now(), lock_token: null, attempts: job.attempt - 1, last_error: null }),

    /** Keeps the row for inspection; the job does not run again. */
    bury: (job: ClaimedJob, error: string) =>
      settle(job, { status: 'dead', lock_token: null, last_error: storable(error.slice(0, errorLength)) }),
  }
}
