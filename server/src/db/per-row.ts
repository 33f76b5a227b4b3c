import { type SelectQueryBuilder, sql } from 'kysely'

/**
 * Makes an EXISTS subquery run once for each remaining row. Otherwise PostgreSQL turns it into a join, in an order that
 * depends on its estimates. With a low estimate it searched all texts of a project for every trace. PostgreSQL does not
 * turn a subquery with an OFFSET into a join, even if the offset is 0.
 */
export function perRow<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  return query.limit(sql.lit(1)).offset(sql.lit(0))
}
