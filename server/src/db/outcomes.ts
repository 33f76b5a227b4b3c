import { type RawBuilder, sql } from 'kysely'
import { isForeignKeyViolation, isNotNullViolation, isUniqueViolation } from '../lib/database-error.ts'
import type { Db, RowInsert } from './database.ts'

interface Outcomes<Missing, Duplicate, Aborted> {
  /** The row that a written one hangs on does not exist (any more). */
  missing?: Missing
  /** A row of the same key is there. */
  duplicate?: Duplicate
  /** `orAbort` has ended the transaction. */
  aborted?: Aborted
}

/**
 * What came of a write, told by a word instead of the driver's error: stores give each refusal that callers can meet a
 * name of its own. Other errors, and refusals without a name here, are thrown.
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

/** The same of an insert by itself. */
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
