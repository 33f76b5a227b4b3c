import { type Db, lockRows, type RowInsert, type Tables, type Trx } from '../../db/index.ts'
import { endJob, jobOf, standingJobs } from '../../jobs/index.ts'
import { newId } from '../../lib/ids.ts'
import { inProject } from '../access/index.ts'
import type { ScoreRow } from '../scores/index.ts'
import { type Outcome, tally } from './outcome.ts'
import { lockTraces, writeScores } from './store-traces.ts'

export type RuleRow = Tables['scoring_rules']

/** The queue of the jobs of rules; a job's payload is `RuleJob`. */
export const ruleQueue = 'scoring-rule'

export interface RuleJob {
  project_id: string
  rule_id: string
}

/** New traces for one rule. */
export interface NewTraces extends RuleJob {
  traceIds: readonly string[]
}

/** A stored row of waiting traces of a rule. */
export interface Arrival {
  arrivalId: string
  traceIds: string[]
}

/** Maximum traces of one row. A step consists of whole rows, so this limits a step with a model. */
const perArrival = 20
/** Delay of the job, so that it scores many traces in one step. */
const gatherMs = 250

/** The rows of waiting traces and the jobs of their rules, for the transaction that writes the traces. */
export function arrivalInserts(arrived: readonly NewTraces[]): RowInsert[] {
  const rows = arrived.flatMap(({ project_id, rule_id, traceIds }) => {
    const parts = []
    for (let from = 0; from < traceIds.length; from += perArrival) {
      const ids = JSON.stringify(traceIds.slice(from, from + perArrival))
      parts.push([project_id, rule_id, newId('arr_'), ids])
    }
    return parts
  })
  if (rows.length === 0) return []
  const runAt = Date.now() + gatherMs
  const jobs = arrived.map(({ project_id, rule_id }) => {
    const payload: RuleJob = { project_id, rule_id }
    return { jobId: jobOf(rule_id), queue: ruleQueue, projectId: project_id, payload, runAt }
  })
  const columns = ['project_id', 'rule_id', 'arrival_id', 'trace_ids']
  return [{ table: 'scoring_arrivals', columns, rows }, standingJobs(jobs)]
}

export type RuleStore = ReturnType<typeof createRuleStore>

export function createRuleStore(db: Db) {
  async function lock(trx: Trx, { project_id, rule_id }: RuleJob): Promise<RuleRow | undefined> {
    const query = trx
      .selectFrom('scoring_rules')
      .selectAll()
      .where('project_id', '=', project_id)
      .where('rule_id', '=', rule_id)
    return lockRows(db.dialect, query).executeTakeFirst()
  }

  async function dropArrivals(trx: Trx, { project_id, rule_id }: RuleJob): Promise<void> {
    await trx
      .deleteFrom('scoring_arrivals')
      .where('project_id', '=', project_id)
      .where('rule_id', '=', rule_id)
      .execute()
  }

  return {
    insert(row: RuleRow): Promise<'inserted' | 'no_project'> {
      return inProject(db, row.project_id, async (trx) => {
        await trx.insertInto('scoring_rules').values(row).execute()
        return 'inserted'
      })
    },

    find(projectId: string, ruleId: string): Promise<RuleRow | undefined> {
      return db.read
        .selectFrom('scoring_rules')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('rule_id', '=', ruleId)
        .executeTakeFirst()
    },

    /** Newest first. */
    list(projectId: string): Promise<RuleRow[]> {
      return db.read
        .selectFrom('scoring_rules')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('created_at', 'desc')
        .orderBy('rule_id', 'desc')
        .execute()
    },

    /** Changes a rule. If it is disabled, its waiting traces are dropped. Returns undefined if it does not exist. */
    async update(rule: RuleJob, values: Partial<RuleRow>): Promise<RuleRow | undefined> {
      return db.transaction(async (trx) => {
        const now = await lock(trx, rule)
        if (!now) return undefined
        await trx
          .updateTable('scoring_rules')
          .set(values)
          .where('project_id', '=', rule.project_id)
          .where('rule_id', '=', rule.rule_id)
          .execute()
        if (values.enabled === 0) await dropArrivals(trx, rule)
        return { ...now, ...values }
      })
    },

    /** Deletes a rule and its waiting traces; its scores stay. Returns false if the rule does not exist. */
    delete(rule: RuleJob): Promise<boolean> {
      return db.transaction(async (trx) => {
        const result = await trx
          .deleteFrom('scoring_rules')
          .where('project_id', '=', rule.project_id)
          .where('rule_id', '=', rule.rule_id)
          .executeTakeFirst()
        await dropArrivals(trx, rule)
        return result.numDeletedRows > 0n
      })
    },

    /** The waiting traces of a rule, in the order of their arrival. */
    async arrivals({ project_id, rule_id }: RuleJob, limit: number): Promise<Arrival[]> {
      const rows = await db.read
        .selectFrom('scoring_arrivals')
        .select(['arrival_id', 'trace_ids'])
        .where('project_id', '=', project_id)
        .where('rule_id', '=', rule_id)
        .orderBy('arrival_id')
        .limit(limit)
        .execute()
      return rows.map(({ arrival_id, trace_ids }) => ({
        arrivalId: arrival_id,
        traceIds: JSON.parse(trace_ids) as string[],
      }))
    },

    /**
     * Writes the outcomes of arrivals and deletes the arrivals. Writes nothing and returns false if the rule is deleted or
     * disabled. Throws if another process has deleted the arrivals.
     */
    settle(
      rule: RuleJob,
      { arrivals, outcomes, scores }: { arrivals: Arrival[]; outcomes: Outcome[]; scores: ScoreRow[] },
    ): Promise<boolean> {
      return db.transaction(async (trx) => {
        const now = await lock(trx, rule)
        if (now?.enabled !== 1) return false
        const ids = arrivals.map(({ arrivalId }) => arrivalId)
        const { numDeletedRows } = await trx
          .deleteFrom('scoring_arrivals')
          .where('project_id', '=', rule.project_id)
          .where('rule_id', '=', rule.rule_id)
          .where('arrival_id', 'in', ids)
          .executeTakeFirst()
        if (Number(numDeletedRows) !== ids.length) throw new ArrivalsTakenError()
        if (outcomes.length === 0) return true
        const traceIds = outcomes.map(({ traceId }) => traceId)
        const existing = await lockTraces(trx, db.dialect, rule.project_id, traceIds)
        await writeScores(trx, scores, existing)
        await trx
          .updateTable('scoring_rules')
          .set(healthOf(now, outcomes, existing))
          .where('project_id', '=', rule.project_id)
          .where('rule_id', '=', rule.rule_id)
          .execute()
        return true
      })
    },

    /**
     * Ends the rule's job, unless traces wait. Returns whether it ended. Waiting traces of a deleted or disabled rule are
     * dropped.
     */
    endJob(rule: RuleJob): Promise<boolean> {
      return db.transaction((trx) =>
        endJob(trx, db.dialect, jobOf(rule.rule_id), async () => {
          if ((await lock(trx, rule))?.enabled !== 1) await dropArrivals(trx, rule)
          const left = await trx
            .selectFrom('scoring_arrivals')
            .select('arrival_id')
            .where('project_id', '=', rule.project_id)
            .where('rule_id', '=', rule.rule_id)
            .limit(1)
            .executeTakeFirst()
          return left !== undefined
        }),
      )
    },
  }
}

/** Another process has deleted these arrivals, so the transaction is rolled back. */
class ArrivalsTakenError extends Error {}

/** The counts, sums and last times of a rule after these outcomes. */
function healthOf(
  now: RuleRow,
  outcomes: readonly Outcome[],
  existing: ReadonlySet<string>,
): Partial<RuleRow> {
  const sum = tally(outcomes, existing)
  const at = Date.now()
  const failed = outcomes.findLast(({ kind, traceId }) => kind === 'failed' && existing.has(traceId))
  return {
    scored: now.scored + sum.scored,
    failed: now.failed + sum.failed,
    skipped: now.skipped + sum.no_expected_output,
    score_sum: now.score_sum + sum.scoreSum,
    cost: now.cost + sum.cost,
    ...(sum.scored > 0 && { last_scored_at: at }),
    ...(failed?.kind === 'failed' && { last_error: failed.reason, last_error_at: at }),
  }
}
