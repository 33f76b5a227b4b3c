import { currentTenant } from '../lib/current-work.ts'
import { endlessQueue } from '../lib/fair-queue.ts'
import type { Db } from './database.ts'

interface Widths {
  /** Maximum number of concurrent transactions, in total and per tenant. */
  width: number
  widthPerProject: number
}

/** Makes the write transactions of tenants take turns. */
export function withWriters(
  { width, widthPerProject }: Widths,
  db: Pick<Db, 'transaction' | 'insertAll'>,
): Pick<Db, 'writers' | 'transaction' | 'insertAll'> {
  const writers = endlessQueue({ width, widthPerProject })
  return {
    writers,
    transaction: (work) => writers.run(currentTenant(), () => db.transaction(work)),
    insertAll: (inserts, after, options) =>
      writers.run(currentTenant(), () => db.insertAll(inserts, after, options)),
  }
}
