import { type RawBuilder, sql } from 'kysely'
import { isForeignKeyViolation, isNotNullViolation, isUniqueViolation } from '../lib/database-error.ts'
import type { Db, RowInsert } from './database.ts'

interface Outcomes<Missing, Duplicate, Aborted> {
  /** A referenced row does not exist. */
  missing?: Missing
  /** A row with the same key exists. */
  duplicate?: Duplicate
  /** `orAbort` has aborted the transaction. */
  aborted?: Aborted
}

/**
 * Runs a write, and returns the given outcome instead of throwing the driver's error of a violated constraint. Other errors,
 * and violations without an outcome, are thrown.
 */
export async function outcomeOf<T, Missing = never, Duplicate = never, Aborted = never>(
  write: () => Promise<T>,
  { missing, duplicate, aborted }: Outcomes<Missing, Duplicate, Aborted>,
): Promise<T | Missing | Duplicate | Aborted> {
  try {
    return await write()
  } catch (error) {
    if (missing !== undefined && isForeignKeyViolation(error)) return missing
    if (duplicate !== undefined && isUniqueViolation(error)) return duplicate
    if (aborted !== undefined && isNotNullViolation(error)) return aborted
    throw error
  }
}

/** The same for one insert in its own transaction. */
export function insertedOr<Missing = never, Duplicate = never>(
  db: Db,
  insert: RowInsert,
  outcomes: Outcomes<Missing, Duplicate, never>,
): Promise<'inserted' | Missing | Duplicate> {
  const write = () => db.insertAll([insert]).then((): 'inserted' => 'inserted')
  return outcomeOf(write, outcomes)
}

/**
 * A value for a column that rejects null. If the condition is false, the value is null and the whole transaction fails.
 * Needed where several statements are sent at once and code cannot decide between them. `outcomeOf` reports the failure
 * as `aborted`.
 */
export function orAbort<T>(condition: RawBuilder<unknown>, value: RawBuilder<T>): RawBuilder<T> {
  return sql`case when ${condition} then ${value} end`
}

/** The same for SQL without parameters. */
export function orAbortText(condition: string, value: string): string {
  return `case when ${condition} then ${value} end`
}
