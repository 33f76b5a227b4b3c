import { sql } from 'kysely'
import { type Db, outcomeOf, type Trx } from '../../db/index.ts'
import { recordEvent } from '../events/index.ts'
import type { Charge } from '../usage/index.ts'
import { periodAt } from './periods.ts'
import { type BudgetRow, usedSince } from './store-budgets.ts'
import { chargeStatements } from './store-charges.ts'

export interface ReservationRequest {
  reservationId: string
  /** Sorted by id, because they are locked in this order. */
  budgets: readonly { budget: BudgetRow; amount: number }[]
  now: number
  /** End of the lease. */
  expiresAt: number
}

export interface BudgetRefusal {
  budget: BudgetRow
  /** Whether the budget is used up. If false, its rest is reserved for other calls. */
  isSpent: boolean
  /** Whether the event `budget_exceeded` was written: the first rejection of this period. */
  isFirst: boolean
}

/** Relative tolerance, because rounding may leave a sum of many small amounts just below the limit. */
const tolerance = 1e-9

interface LockedPeriod {
  spent: number
  exceeded_at: number | null
}

/**
 * Locks the row of a period until the end of the transaction. If there is no row, it inserts one with the usage since the
 * start of the period.
 */
async function lockPeriod(trx: Trx, budget: BudgetRow, start: number): Promise<LockedPeriod> {
  for (;;) {
    const row = await trx
      .updateTable('budget_periods')
      .set({ spent: sql`spent` })
      .where('budget_id', '=', budget.budget_id)
      .where('period_start', '=', start)
      .returning(['spent', 'exceeded_at'])
      .executeTakeFirst()
    if (row) return row
    const spent = await usedSince(trx, budget, start)
    await trx
      .insertInto('budget_periods')
      .values({ budget_id: budget.budget_id, period_start: start, spent, exceeded_at: null })
      .onConflict((conflict) => conflict.columns(['budget_id', 'period_start']).doNothing())
      .execute()
  }
}

/** The total of the reservations with a live lease. Reservations with an expired lease are deleted: their process died. */
async function reservedOf(trx: Trx, budgetId: string, start: number, now: number): Promise<number> {
  await trx
    .deleteFrom('budget_reservations')
    .where('budget_id', '=', budgetId)
    .where('expires_at', '<', now)
    .execute()
  const { reserved } = await trx
    .selectFrom('budget_reservations')
    .select((eb) => eb.fn.sum<number | null>('amount').as('reserved'))
    .where('budget_id', '=', budgetId)
    .where('period_start', '=', start)
    .executeTakeFirstOrThrow()
  return reserved ?? 0
}

async function recordExceeded(trx: Trx, budget: BudgetRow, spent: number, now: number): Promise<void> {
  const { budget_id, project_id, scope, scope_id, period, unit, amount: limit } = budget
  const { start: period_start } = periodAt(period, now)
  await trx
    .updateTable('budget_periods')
    .set({ exceeded_at: now })
    .where('budget_id', '=', budget_id)
    .where('period_start', '=', period_start)
    .execute()
  const data = { budget_id, scope, scope_id, period, period_start, unit, limit, spent, timestamp: now }
  await recordEvent(trx, { projectId: project_id, type: 'budget_exceeded', data, createdMs: now })
}

/** Returns undefined if a part of the budget is neither spent nor reserved. */
async function refusalOf(trx: Trx, budget: BudgetRow, now: number): Promise<BudgetRefusal | undefined> {
  const { start } = periodAt(budget.period, now)
  const { spent, exceeded_at } = await lockPeriod(trx, budget, start)
  const reserved = await reservedOf(trx, budget.budget_id, start, now)
  const limit = budget.amount * (1 - tolerance)
  if (spent + reserved < limit) return undefined
  const isSpent = spent >= limit
  const isFirst = isSpent && exceeded_at === null
  if (isFirst) await recordExceeded(trx, budget, spent, now)
  return { budget, isSpent, isFirst }
}

export type ReservationStore = ReturnType<typeof createReservationStore>

export function createReservationStore(db: Db) {
  return {
    /**
     * Reserves a part of each budget in one transaction. Reserves nothing if one of them has no rest, or was deleted
     * (`no_budget`).
     */
    reserve({
      reservationId,
      budgets,
      now,
      expiresAt,
    }: ReservationRequest): Promise<'reserved' | 'no_budget' | BudgetRefusal> {
      const work = (): Promise<'reserved' | BudgetRefusal> =>
        db.transaction(async (trx) => {
          for (const { budget } of budgets) {
            const refusal = await refusalOf(trx, budget, now)
            if (refusal) return refusal
          }
          const rows = budgets.map(({ budget, amount }) => ({
            budget_id: budget.budget_id,
            period_start: periodAt(budget.period, now).start,
            reservation_id: reservationId,
            amount,
            expires_at: expiresAt,
          }))
          await trx.insertInto('budget_reservations').values(rows).execute()
          return 'reserved'
        })
      return outcomeOf(work, { missing: 'no_budget' })
    },

    /** Writes charges of calls whose results are not stored. */
    async charge(charges: readonly Charge[]): Promise<void> {
      const { inserts, after } = chargeStatements(db, charges)
      await db.insertAll(inserts, after)
    },

    async extend(reservationIds: readonly string[], expiresAt: number): Promise<void> {
      await db.transaction((trx) =>
        trx
          .updateTable('budget_reservations')
          .set({ expires_at: expiresAt })
          .where('reservation_id', 'in', reservationIds)
          .execute(),
      )
    },
  }
}
