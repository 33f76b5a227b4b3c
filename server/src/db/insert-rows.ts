import { sql } from 'kysely'
import type { RowInsert, Trx } from './database.ts'

/** Both databases accept this many parameters in a statement. */
const maxParameters = 30_000

/** `insertAll` for one table, within a transaction that does more. */
export async function insertRows(
  trx: Trx,
  { table, columns, rows, conflict = '' }: RowInsert,
): Promise<void> {
  const perStatement = Math.floor(maxParameters / columns.length)
  for (let from = 0; from < rows.length; from += perStatement) {
    const tuples = rows.slice(from, from + perStatement).map((row) => sql`(${sql.join([...row])})`)
    const names = columns.map((column) => sql.ref(column))
    await sql`insert into ${sql.table(table)} (${sql.join(names)}) values ${sql.join(tuples)} ${sql.raw(conflict)}`.execute(
      trx,
    )
  }
}
