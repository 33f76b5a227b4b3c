import {
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
  type Simplify,
  type SqlBool,
  sql,
} from 'kysely'
import { jsonArrayFrom as postgresJsonArrayFrom } from 'kysely/helpers/postgres'
import { jsonArrayFrom as sqliteJsonArrayFrom } from 'kysely/helpers/sqlite'
import { type Sketch, sketchOf } from '../lib/sketch.ts'
import type { Db } from './database.ts'
import type { SqlValue } from './sqlite/protocol.ts'

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
 * A column of numbers to sort by, without an index on it: SQLite, which keeps no statistics, would rather walk all
 * rows of a project in the order of time than sort the few that are wanted.
 */
export function unindexed(column: string): RawBuilder<number> {
  return sql`${sql.ref(column)} + 0`
}

/** A sketch as a parameter of a statement. */
export function sketchParameter(dialect: Dialect, sketch: Sketch): SqlValue {
  if (dialect === 'postgres') return `{${sketch.join(',')}}`
  return new Uint8Array(sketch.buffer, sketch.byteOffset, sketch.byteLength)
}

/** A sketch as a driver gives it: PostgreSQL's has parsed it already, SQLite answers its bytes. */
export function parseSketch(value: Uint8Array | Int32Array): Sketch {
  return value instanceof Int32Array ? (value as Sketch) : sketchOf(value)
}

/**
 * The sum of two columns of sketches, as SQL. PostgreSQL's function takes about 30 µs: two sketches of the same single
 * bin, as those of rare values are, are added without it.
 */
export function mergedSketches(dialect: Dialect, a: string, b: string): string {
  if (dialect === 'sqlite') return `sketch_merge(${a}, ${b})`
  const count = `${a}[2] + ${b}[2]`
  return `case when cardinality(${a}) = 2 and cardinality(${b}) = 2 and ${a}[1] = ${b}[1]
    then case when ${count} = 0 then '{}' else array[${a}[1], ${count}] end
    else sketch_merge(${a}, ${b}) end`
}

/** SQL's `percentile_cont`: linear interpolation between closest ranks. */
export function percentileCont(
  dialect: Dialect,
  column: Expression<number | null>,
  share: number,
): RawBuilder<number | null> {
  return dialect === 'postgres'
    ? sql`percentile_cont(${sql.lit(share)}) within group (order by ${column})`
    : sql`percentile_cont(${column}, ${sql.lit(share)})`
}

/**
 * Whether input or output of a stored trace holds a text, without regard to case; `needle` comes from `foldCase`.
 * PostgreSQL decodes JSON only where the raw text holds the needle, and refuses two kinds of escapes in it.
 */
export function bodyContains(
  dialect: Dialect,
  body: Expression<Uint8Array>,
  needle: string,
): RawBuilder<SqlBool> {
  if (dialect === 'sqlite') return sql`body_contains(${body}, ${needle}) = 1`
  const raw = JSON.stringify(needle).slice(1, -1)
  const fold = (text: RawBuilder<unknown>) => sql`translate(lower(${text} collate "und-x-icu"), 'ς', 'σ')`
  const text = sql`convert_from(${body}, 'UTF8')`
  const json = sql`regexp_replace(${text}, '(?<!\\\\)((\\\\\\\\)*)\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\1\\\\ufffd', 'g')::json`
  return sql`case when strpos(${fold(text)}, ${raw}) > 0
    then strpos(${fold(sql`(${json} ->> 'input')`)}, ${needle}) > 0
      or strpos(${fold(sql`(${json} ->> 'output')`)}, ${needle}) > 0
    else false end`
}

type RowLock = 'forUpdate' | 'forNoKeyUpdate' | 'forKeyShare'

/** Takes the rows until the transaction ends: others wait. SQLite has one writer. */
export function lockRows<DB, TB extends keyof DB, O>(
  dialect: Dialect,
  query: SelectQueryBuilder<DB, TB, O>,
  lock: RowLock = 'forUpdate',
): SelectQueryBuilder<DB, TB, O> {
  return dialect === 'postgres' ? query[lock]() : query
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

/** The names in a column that holds a JSON object, in FROM behind the table of the column: rows of `key`, with an alias. */
export function jsonNames(dialect: Dialect, column: string): RawBuilder<unknown> {
  return dialect === 'postgres'
    ? sql`lateral (select json_object_keys(${sql.ref(column)}::json) as key)`
    : sql`json_each(${sql.ref(column)})`
}
