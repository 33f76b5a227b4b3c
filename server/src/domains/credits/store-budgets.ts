import type { BudgetPeriod, BudgetScope, BudgetUnit } from '@cairn/contract'
import type { Db, Tables, Trx } from '../../db/index.ts'
import { inProject, isOfLiveProject } from '../access/index.ts'
import { periodAt } from './periods.ts'

export interface BudgetRow extends Omit<Tables['budgets'], 'scope' | 'period' | 'unit'> {
  scope: BudgetScope
  period: BudgetPeriod
  unit: BudgetUnit
}

export interface BudgetState {
  spent: number
  reserved: number
}

const scopeColumns = {
  project: 'project_id',
  chat: 'chat_id',
  app: 'app_id',
  user: 'user_id',
} as const satisfies Record<BudgetScope, keyof Tables['usage_days']>

/** The usage since the start of a period, for a budget that has no row of this period yet. */
export async function usedSince(
  db: Db['read'] | Trx,
  { project_id, scope, scope_id, unit }: BudgetRow,
  periodStart: number,
): Promise<number> {
  const { used } = await db
    .selectFrom('usage_days')
    .select((eb) => eb.fn.sum<number | null>(unit === 'usd' ? 'cost' : 'credits').as('used'))
    .where('project_id', '=', project_id)
    .where(scopeColumns[scope], '=', scope_id)
    .where('day', '>=', periodStart)
    .executeTakeFirstOrThrow()
  return used ?? 0
}

/** Deletes the budgets of an end user; foreign keys cascade to their periods and reservations. */
export async function deleteUserBudgets(trx: Trx, projectId: string, userId: string): Promise<void> {
  await trx
    .deleteFrom('budgets')
    .where('project_id', '=', projectId)
    .where('scope', '=', 'user')
    .where('scope_id', '=', userId)
    .execute()
}

export type BudgetStore = ReturnType<typeof createBudgetStore>

export function createBudgetStore(db: Db) {
  const budgets = () => db.read.selectFrom('budgets').selectAll().where(isOfLiveProject('budgets'))

  return {
    /** Oldest first; without a project, of all projects. */
    async list(conditions: {
      projectId?: string | undefined
      scope?: BudgetScope | undefined
    }): Promise<BudgetRow[]> {
      const { projectId, scope } = conditions
      let query = budgets()
      if (projectId !== undefined) query = query.where('project_id', '=', projectId)
      if (scope !== undefined) query = query.where('scope', '=', scope)
      return (await query.orderBy('created_at').orderBy('budget_id').execute()) as BudgetRow[]
    },

    async find(budgetId: string): Promise<BudgetRow | undefined> {
      const query = budgets().where('budget_id', '=', budgetId)
      return (await query.executeTakeFirst()) as BudgetRow | undefined
    },

    insert(row: BudgetRow): Promise<'inserted' | 'no_project'> {
      return inProject(db, row.project_id, async (trx) => {
        await trx.insertInto('budgets').values(row).execute()
        return 'inserted'
      })
    },

    /**
     * Returns undefined if the budget does not exist. A change of the period or unit deletes the amounts that were counted
     * in the previous one.
     */
    update(
      budgetId: string,
      changes: Partial<Pick<BudgetRow, 'period' | 'unit' | 'amount'>>,
    ): Promise<BudgetRow | undefined> {
      return db.transaction(async (trx) => {
        const ofBudget = trx.selectFrom('budgets').selectAll().where('budget_id', '=', budgetId)
        const before = (await ofBudget.executeTakeFirst()) as BudgetRow | undefined
        if (!before) return undefined
        const after = { ...before, ...changes }
        const { period, unit, amount } = after
        await trx
          .updateTable('budgets')
          .set({ period, unit, amount })
          .where('budget_id', '=', budgetId)
          .execute()
        if (period !== before.period || unit !== before.unit) {
          await trx.deleteFrom('budget_periods').where('budget_id', '=', budgetId).execute()
          await trx.deleteFrom('budget_reservations').where('budget_id', '=', budgetId).execute()
        }
        return after
      })
    },

    /** Returns false if the budget does not exist. */
    async delete(budgetId: string): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx.deleteFrom('budgets').where('budget_id', '=', budgetId).executeTakeFirst(),
      )
      return result.numDeletedRows > 0n
    },

    /** The spent and reserved amounts in the period that contains `now`. */
    async stateOf(budget: BudgetRow, now: number): Promise<BudgetState> {
      const { start } = periodAt(budget.period, now)
      const row = await db.read
        .selectFrom('budget_periods')
        .select('spent')
        .where('budget_id', '=', budget.budget_id)
        .where('period_start', '=', start)
        .executeTakeFirst()
      const { reserved } = await db.read
        .selectFrom('budget_reservations')
        .select((eb) => eb.fn.sum<number | null>('amount').as('reserved'))
        .where('budget_id', '=', budget.budget_id)
        .where('period_start', '=', start)
        .where('expires_at', '>=', now)
        .executeTakeFirstOrThrow()
      return { spent: row?.spent ?? (await usedSince(db.read, budget, start)), reserved: reserved ?? 0 }
    },
  }
}
