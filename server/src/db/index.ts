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
export { insertRows } from './insert-rows.ts'
export { migrate, migrationState } from './migrate.ts'
export { newestFirst } from './newest-first.ts'
export { insertedOr, orAbort, orAbortText, outcomeOf } from './outcomes.ts'
export { perRow } from './per-row.ts'
export type { Tables } from './schema.ts'

export interface DatabaseOptions {
  dataDir: string
  /** A postgres:// URL; without one the embedded SQLite database in `dataDir` is used. */
  databaseUrl: string | undefined
  readerThreads: number
  poolSize: number
  /** Streams that may run at once. */
  maxStreams: number
  /** Scans that may run at once. */
  maxScans: number
}

/** Where the embedded database is. */
export function databaseFile({ dataDir }: Pick<DatabaseOptions, 'dataDir'>): string {
  return join(dataDir, 'cairn.db')
}

/** Opens the configured database; the schema is not touched. */
export async function openDatabase(options: DatabaseOptions): Promise<Db> {
  if (options.databaseUrl) return openPostgres(options.databaseUrl, options)
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  return openSqlite(databaseFile(options), options)
}
