import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { Tables } from './schema.ts'

/** Rows of one table that belong to one thing. */
export interface RowsOf {
  table: keyof Tables
  /** The primary key. */
  key: readonly string[]
  /** The column that names what they belong to. */
  column: string
}

/** Rows that a step deletes: a few milliseconds of the writer's time. */
const rowsPerStep = 500

/** Deletes some of the rows, with all that hangs on them, in one short transaction; false when there were none. */
export function deleteSome(db: Db, { table, key, column }: RowsOf, value: string): Promise<boolean> {
  const names = sql.join(key.map((name) => sql.ref(name)))
  const found = (place: ReturnType<typeof sql>) =>
    sql`select ${place} from ${sql.table(table)} where ${sql.ref(column)} = ${value} limit ${sql.lit(rowsPerStep)}`
  // PostgreSQL goes straight to the rows; SQLite has tables without a rowid.
  const isFound =
    db.dialect === 'postgres'
      ? sql`ctid = any(array(${found(sql`ctid`)}))`
      : sql`(${names}) in (${found(names)})`
  return db.transaction(async (trx) => {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${isFound}`.execute(trx)
    return (numAffectedRows ?? 0n) > 0n
  })
}
