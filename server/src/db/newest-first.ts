import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Page } from '../lib/cursor.ts'

/** A page of rows by time, newest first, then by id. Time and id together are unique. */
export function newestFirst<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  [time, id]: readonly [time: string, id: string],
  { limit, after }: Page,
): SelectQueryBuilder<DB, TB, O> {
  const place = sql`(${sql.ref(time)}, ${sql.ref(id)})`
  const behind = after ? query.where(sql<SqlBool>`${place} < (${after.ms}, ${after.id})`) : query
  return behind.orderBy(sql.ref(time), 'desc').orderBy(sql.ref(id), 'desc').limit(limit)
}
