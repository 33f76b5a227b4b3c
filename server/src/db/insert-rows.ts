import { CompiledQuery, PostgresAdapter } from 'kysely'
import type { Db, RowInsert, Trx } from './database.ts'
import { type RowSource, rowSources } from './row-source.ts'
import type { Tables } from './schema.ts'
import type { SqlValue } from './sqlite/protocol.ts'

function dialectOf(trx: Trx): Db['dialect'] {
  return trx.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

/** The statements that insert the rows. */
export function* insertStatements(
  dialect: Db['dialect'],
  { table, columns, rows, conflict = '', types = {} }: RowInsert,
): Generator<RowSource> {
  const names = columns.map((column) => `"${column}"`).join(', ')
  const typesByIndex = Object.fromEntries(
    Object.entries(types).map(([column, type]) => [columns.indexOf(column), type]),
  )
  for (const source of rowSources(dialect, rows, typesByIndex)) {
    yield { ...source, sql: `insert into "${table}" (${names}) ${source.sql} ${conflict}` }
  }
}

/** `insertAll` for one table, within a transaction that does more. */
export async function insertRows(trx: Trx, insert: RowInsert): Promise<void> {
  for (const { sql: text, parameters } of insertStatements(dialectOf(trx), insert)) {
    await trx.executeQuery(CompiledQuery.raw(text, parameters))
  }
}

/**
 * Deletes the rows with these keys that also satisfy `condition`. Every key has the values of `columns`, in this order.
 */
export async function deleteByKeys(
  trx: Trx,
  table: keyof Tables,
  {
    columns,
    keys,
    condition = 'true',
  }: { columns: readonly string[]; keys: readonly (readonly SqlValue[])[]; condition?: string },
): Promise<void> {
  const names = columns.map((column) => `"${column}"`).join(', ')
  for (const { sql, parameters } of rowSources(dialectOf(trx), keys)) {
    const text = `delete from "${table}" where (${names}) in (${sql}) and ${condition}`
    await trx.executeQuery(CompiledQuery.raw(text, parameters))
  }
}
