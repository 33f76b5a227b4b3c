import { type CompiledQuery, sql } from 'kysely'
import type { Db, RowInsert } from '../../db/index.ts'
import { type Charge, sumByKey, usageStatements } from '../usage/index.ts'

/** Adds the amounts to the spent amounts of budgets. A budget that was deleted meanwhile has no row to update. */
function spendStatements(db: Db['read'], charges: readonly Charge[]): CompiledQuery[] {
  const parts = charges.flatMap(({ answers, credits, cost, reservation }) =>
    answers === 0
      ? []
      : (reservation?.budgets ?? []).map((budget) => ({
          ...budget,
          amount: budget.unit === 'usd' ? (cost ?? 0) : credits,
        })),
  )
  const sums = sumByKey(
    parts,
    ({ budgetId, periodStart }) => [budgetId, periodStart],
    ({ amount }) => [amount],
  )
  return sums.map(({ key: [budgetId = '', periodStart = 0], amounts: [amount = 0] }) =>
    db
      .updateTable('budget_periods')
      .set({ spent: sql`spent + cast(${amount} as double precision)` })
      .where('budget_id', '=', String(budgetId))
      .where('period_start', '=', Number(periodStart))
      .compile(),
  )
}

/**
 * Deletes the reservations. These statements come after `spendStatements`, because `reserve` also locks the period of a
 * budget before its reservations.
 */
function releaseStatements(db: Db['read'], charges: readonly Charge[]): CompiledQuery[] {
  const ids = charges.flatMap(({ reservation }) => reservation?.reservationId ?? [])
  if (ids.length === 0) return []
  return [db.deleteFrom('budget_reservations').where('reservation_id', 'in', ids.toSorted()).compile()]
}

/**
 * The statements that write the usage and the spent amounts of charges, for `Db.insertAll` in the transaction that stores
 * the results of the calls.
 */
export function chargeStatements(
  db: Db,
  charges: readonly Charge[],
): { inserts: RowInsert[]; after: CompiledQuery[] } {
  if (charges.length === 0) return { inserts: [], after: [] }
  const { inserts, after } = usageStatements(db, charges)
  return {
    inserts,
    after: [...after, ...spendStatements(db.read, charges), ...releaseStatements(db.read, charges)],
  }
}
