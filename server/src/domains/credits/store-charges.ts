import { type CompiledQuery, sql } from 'kysely'
import type { Db, RowInsert } from '../../db/index.ts'
import { addedUp, type Charge, usageStatements } from '../usage/index.ts'

/** A budget that was deleted meanwhile has no row any more, and nothing is spent of it. */
function spending(db: Db['read'], charges: readonly Charge[]): CompiledQuery[] {
  const parts = charges.flatMap(({ answers, credits, cost, reservation }) =>
    answers === 0
      ? []
      : (reservation?.budgets ?? []).map((budget) => ({
          ...budget,
          amount: budget.unit === 'usd' ? (cost ?? 0) : credits,
        })),
  )
  const sums = addedUp(
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

/** In the order in which `spending` locks: reserving locks the period of a budget before its reservations, too. */
function givingBack(db: Db['read'], charges: readonly Charge[]): CompiledQuery[] {
  const ids = charges.flatMap(({ reservation }) => reservation?.reservationId ?? [])
  if (ids.length === 0) return []
  return [db.deleteFrom('budget_reservations').where('reservation_id', 'in', ids.toSorted()).compile()]
}

/** What charges write of usage and budgets, for the transaction of what they pay for: see `Db.insertAll`. */
export function chargeStatements(
  db: Db,
  charges: readonly Charge[],
): { inserts: RowInsert[]; after: CompiledQuery[] } {
  if (charges.length === 0) return { inserts: [], after: [] }
  const { inserts, after } = usageStatements(db, charges)
  return { inserts, after: [...after, ...spending(db.read, charges), ...givingBack(db.read, charges)] }
}
