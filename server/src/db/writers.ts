import { currentTenant } from '../lib/current-tenant.ts'
import { FairQueue } from '../lib/fair-queue.ts'
import type { Db } from './database.ts'

interface Widths {
  /** Transactions that may run at once, and of one tenant. */
  width: number
  widthPerProject: number
}

/** Lets the write transactions of tenants have their turns. */
export function withWriters(
  { width, widthPerProject }: Widths,
  db: Pick<Db, 'transaction' | 'insertAll'>,
): Pick<Db, 'writers' | 'transaction' | 'insertAll'> {
  // Who waits here is bounded where requests are taken.
  const maxWaiting = Number.POSITIVE_INFINITY
  const refusal = () => new Error('a queue without a bound is never full')
  const writers = new FairQueue({ width, widthPerProject, maxWaiting, refusal })
  return {
    writers,
    transaction: (work) => writers.run(currentTenant(), () => db.transaction(work)),
    insertAll: (inserts, after, options) =>
      writers.run(currentTenant(), () => db.insertAll(inserts, after, options)),
  }
}
