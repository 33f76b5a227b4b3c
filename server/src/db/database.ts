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
  /** An `on conflict …` clause. Sort the rows of an upsert by key, or two concurrent upserts may deadlock. */
  conflict?: string
  /** The types of columns that PostgreSQL cannot convert from text by itself. */
  types?: Readonly<Record<string, string>>
}

/** Rows that another thread has packed into bytes. */
interface PackedInsert {
  table: keyof Tables
  /** The columns of `common`, then the columns of each row. */
  columns: readonly string[]
  common: readonly SqlValue[]
  packed: PackedRows
}

export type AnyInsert = RowInsert | PackedInsert

interface InsertOptions {
  /**
   * If false, a crash may lose this write until a later durable commit, so the caller must write something durable after
   * it. The default is durable.
   */
  durable?: boolean
}

export type Trx = Transaction<Tables>

/** A statement of a scan is ended after this time. On SQLite only statements that search texts can take so long. */
export const maxScanStatementMs = 2_000

/**
 * The interface to both databases. Stores do not know which database they use, except through the helpers of
 * `dialect.ts`.
 */
export interface Db {
  readonly dialect: 'sqlite' | 'postgres'
  /** Queries outside of a transaction. They see every write that was acknowledged earlier. */
  readonly read: Kysely<Tables>
  /**
   * For statements that look at many rows, one slice at a time. They use other threads and connections than `read`.
   * A statement that takes longer than `maxScanStatementMs` fails; see `isStatementTimeout`.
   */
  readonly scans: Kysely<Tables>
  /** For `.stream()`: separate connections, so that slow readers do not delay others. */
  readonly streams: Kysely<Tables>
  /** The queue in which `transaction` and `insertAll` wait, for the tenant of the calling request. */
  readonly writers: FairQueue
  /**
   * A write transaction with logic. Keep it short, because on SQLite it holds the only writer. `work` may run again
   * after a deadlock or a lost connection, so it must have no effects besides its statements.
   */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  /**
   * Inserts all rows or none, without a round trip for each row, for the busiest write path. Durable when the promise
   * resolves. `after` runs after the inserts in the same transaction; compile it from `read`.
   */
  insertAll(
    inserts: readonly AnyInsert[],
    after?: readonly CompiledQuery[],
    options?: InsertOptions,
  ): Promise<void>
  close(): Promise<void>
}
