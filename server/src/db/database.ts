import type { CompiledQuery, Kysely, Transaction } from 'kysely'
import type { FairQueue } from '../lib/fair-queue.ts'
import type { PackedRows } from '../lib/packed-rows.ts'
import type { Tables } from './schema.ts'
import type { SqlValue } from './sqlite/protocol.ts'

/** Rows for one table; every row has the same columns in the same order. */
export interface RowInsert {
  table: keyof Tables
  columns: readonly string[]
  rows: readonly (readonly SqlValue[])[]
  /** An `on conflict …` clause. Rows of an upsert come sorted by key, or two of them at once may deadlock. */
  conflict?: string
}

/** Rows that another thread has packed. */
interface PackedInsert {
  table: keyof Tables
  /** Those of `common`, then those of each row. */
  columns: readonly string[]
  common: readonly SqlValue[]
  packed: PackedRows
}

export type AnyInsert = RowInsert | PackedInsert

interface InsertOptions {
  /**
   * False for what may be lost when the machine dies before the next durable write is done, which it never is without
   * this; the caller writes what is durable behind it.
   */
  durable?: boolean
}

export type Trx = Transaction<Tables>

/** After so long a statement of a scan is ended. On SQLite only one that searches texts can take so long. */
export const maxScanStatementMs = 2_000

/**
 * The one door to either database. Stores are written against it and do not know which one is behind, but for
 * the named helpers of `dialect.ts`.
 */
export interface Db {
  readonly dialect: 'sqlite' | 'postgres'
  /** Queries outside a transaction; they see every write that was acknowledged before. */
  readonly read: Kysely<Tables>
  /**
   * For statements that look at many rows, one slice of them at a time: off the threads and connections that serve
   * `read`. A statement that takes longer than `maxScanStatementMs` fails, see `isStatementTimeout`.
   */
  readonly scans: Kysely<Tables>
  /** For `.stream()`: connections of its own, so that readers who dawdle hold up nobody else. */
  readonly streams: Kysely<Tables>
  /** Where `transaction` and `insertAll` wait for their turn, for the tenant of the request that calls them. */
  readonly writers: FairQueue
  /**
   * One write transaction with logic in it. Keep it short: on SQLite it holds the only writer. The work may
   * run again after a deadlock or a lost connection, so it must have no effect but its statements.
   */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  /**
   * All rows or none, durable when it resolves, without a round trip for each row: the hot write path. `after`
   * runs behind the inserts in the same transaction; compile it from `read`.
   */
  insertAll(
    inserts: readonly AnyInsert[],
    after?: readonly CompiledQuery[],
    options?: InsertOptions,
  ): Promise<void>
  close(): Promise<void>
}
