import { type Expression, type RawBuilder, type Simplify, type SqlBool, sql } from 'kysely'
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

/**
 * The rows of the subquery, taken by nobody else: concurrent claimers skip what another one has locked. (With a
 * plain IN, PostgreSQL may run the subquery again and take more than its limit.) SQLite has one writer.
 */
export function claimedBy(
  dialect: Dialect,
  column: string,
  subquery: Expression<{ [name: string]: string }>,
): RawBuilder<SqlBool> {
  if (dialect === 'sqlite') return sql`${sql.ref(column)} in ${subquery}`
  return sql`${sql.ref(column)} = any(array(${subquery}))`
}
