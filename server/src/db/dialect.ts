import type { Expression, RawBuilder, Simplify } from 'kysely'
import { jsonArrayFrom as postgresJsonArrayFrom } from 'kysely/helpers/postgres'
import { jsonArrayFrom as sqliteJsonArrayFrom } from 'kysely/helpers/sqlite'
import type { Db } from './database.ts'

/** What differs between the databases has a name here, and nowhere else. */
type Dialect = Db['dialect']

/** The rows of a correlated subquery as one JSON array; read it with `parseJsonArray`. */
export function jsonArrayFrom<O>(
  dialect: Dialect,
  query: Expression<O> & { isSelectQueryBuilder: true },
): RawBuilder<Simplify<O>[]> {
  const helper = (dialect === 'postgres' ? postgresJsonArrayFrom : sqliteJsonArrayFrom) as (
    expression: unknown,
  ) => RawBuilder<Simplify<O>[]>
  return helper(query)
}

/** PostgreSQL's driver has parsed it already, SQLite answers text. */
export function parseJsonArray<T>(value: T[] | string): T[] {
  return typeof value === 'string' ? (JSON.parse(value) as T[]) : value
}
