import { type SelectQueryBuilder, sql } from 'kysely'

/**
 * A subquery of EXISTS that is asked anew of each row that is left. PostgreSQL makes a join of it otherwise, in an order
 * that its guesses decide: with few rows counted it searched all texts of a project for every trace of it. A subquery that
 * is cut off, even behind nothing, stays what it is.
 */
export function perRow<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  return query.limit(sql.lit(1)).offset(sql.lit(0))
}
