/*
 * Opens the configured database.
 *
 * On SQLite, one writer thread owns the only writing connection, and reader threads have their own connections. Scans and
 * exports run in threads of low priority that start on demand and end after ten idle seconds; each export has its own
 * connection, so that it reads one snapshot. On PostgreSQL, scans and exports have their own pools. Reads and write
 * transactions wait in a `FairQueue` for the tenant of their request (`lib/current-work.ts`), so that one tenant cannot take
 * all connections. SQLite uses WAL with `synchronous = FULL`, except for transactions that need not be durable; the next durable
 * one makes them durable too. No SQL runs on the event loop.
 */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite/open.ts'

export type { AnyInsert, Db, RowInsert, Trx } from './database.ts'
export { deleteSome, type RowsOf } from './delete-some.ts'
export {
  bodyContains,
  jsonArrayFrom,
  jsonNames,
  lockRows,
  mergedSketches,
  parseJsonArray,
  parseSketch,
  percentileCont,
  sketchParameter,
  unindexed,
} from './dialect.ts'
export { deleteByKeys, insertRows } from './insert-rows.ts'
export { migrate, migrationState } from './migrate.ts'
export { newestFirst } from './newest-first.ts'
export { insertedOr, orAbort, orAbortText, outcomeOf } from './outcomes.ts'
export { perRow } from './per-row.ts'
export type { Tables } from './schema.ts'

export interface DatabaseOptions {
  dataDir: string
  /** A postgres:// URL; if undefined, the embedded SQLite database in `dataDir` is used. */
  databaseUrl: string | undefined
  readerThreads: number
  poolSize: number
  /** Maximum number of concurrent streams. */
  maxExports: number
  /** Maximum number of concurrent scans. */
  maxScans: number
}

/** The file of the embedded database. */
export function databaseFile({ dataDir }: Pick<DatabaseOptions, 'dataDir'>): string {
  return join(dataDir, 'cairn.db')
}

/** Opens the configured database; does not migrate the schema. */
export async function openDatabase(options: DatabaseOptions): Promise<Db> {
  if (options.databaseUrl) return openPostgres(options.databaseUrl, options)
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  return openSqlite(databaseFile(options), options)
}
