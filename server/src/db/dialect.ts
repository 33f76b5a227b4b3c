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

/** Every difference between the databases has a named helper in this file. */
type Dialect = Db['dialect']

/** The rows of a correlated subquery as one JSON array. Read the result with `parseJsonArray`. */
export function jsonArrayFrom<O>(
  dialect: Dialect,
  query: Expression<O> & { isSelectQueryBuilder: true },
): RawBuilder<Simplify<O>[]> {
  const helper = (dialect === 'postgres' ? postgresJsonArrayFrom : sqliteJsonArrayFrom) as (
    expression: unknown,
  ) => RawBuilder<Simplify<O>[]>
  return helper(query)
}

/** The driver of PostgreSQL returns parsed JSON; SQLite returns text. */
export function parseJsonArray<T>(value: T[] | string): T[] {
  return typeof value === 'string' ? (JSON.parse(value) as T[]) : value
}

/**
 * Sorts by a number without using an index of the column. SQLite keeps no statistics, and with an index it would walk
 * all rows of a project in order of time instead of sorting the few matching rows.
 */
export function unindexed(column: string): RawBuilder<number> {
  return sql`${sql.ref(column)} + 0`
}

/** A sketch as a statement parameter. */
export function sketchParameter(dialect: Dialect, sketch: Sketch): SqlValue {
  if (dialect === 'postgres') return `{${sketch.join(',')}}`
  return new Uint8Array(sketch.buffer, sketch.byteOffset, sketch.byteLength)
}

/** Reads a sketch from a row. The driver of PostgreSQL returns it parsed; SQLite returns bytes. */
export function parseSketch(value: Uint8Array | Int32Array): Sketch {
  return value instanceof Int32Array ? (value as Sketch) : sketchOf(value)
}

/**
 * The sum of two sketch columns, as SQL. The function of PostgreSQL takes about 30 µs. Many sketches are empty, and those of
 * rare values often have the same single bin; these are added without the function.
 */
export function mergedSketches(dialect: Dialect, a: string, b: string): string {
  if (dialect === 'sqlite') return `sketch_merge(${a}, ${b})`
  const count = `${a}[2] + ${b}[2]`
  return `case when cardinality(${b}) = 0 then ${a} when cardinality(${a}) = 0 then ${b}
    when cardinality(${a}) = 2 and cardinality(${b}) = 2 and ${a}[1] = ${b}[1]
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
 * Whether input or output of a stored trace contains a text, ignoring case; `needle` comes from `foldCase`.
 * PostgreSQL decodes the JSON only if the raw text contains the needle, and it rejects two kinds of escapes.
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

/** Locks the rows until the transaction ends. SQLite has one writer, so it needs no lock. */
export function lockRows<DB, TB extends keyof DB, O>(
  dialect: Dialect,
  query: SelectQueryBuilder<DB, TB, O>,
  lock: RowLock = 'forUpdate',
): SelectQueryBuilder<DB, TB, O> {
  return dialect === 'postgres' ? query[lock]() : query
}

/**
 * Selects the rows of the subquery that no other claimer holds; concurrent claimers skip locked rows. (With a plain IN,
 * PostgreSQL may run the subquery again and claim more than its limit.) SQLite has one writer, so it needs no lock.
 */
export function claimedBy(
  dialect: Dialect,
  column: string,
  subquery: Expression<{ [name: string]: string }>,
): RawBuilder<SqlBool> {
  if (dialect === 'sqlite') return sql`${sql.ref(column)} in ${subquery}`
  return sql`${sql.ref(column)} = any(array(${subquery}))`
}

/** The keys of a JSON object column, as rows of `key` with an alias. Place it in FROM after the table of the column. */
export function jsonNames(dialect: Dialect, column: string): RawBuilder<unknown> {
  return dialect === 'postgres'
    ? sql`lateral (select json_object_keys(${sql.ref(column)}::json) as key)`
    : sql`json_each(${sql.ref(column)})`
}
