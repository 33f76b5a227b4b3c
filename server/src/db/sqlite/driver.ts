import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { currentTenant } from '../../lib/current-work.ts'
import { endlessQueue, type FairQueue } from '../../lib/fair-queue.ts'
import type { SqlValue } from './protocol.ts'
import type { DatabaseThread } from './thread.ts'
import type { ThreadsOnDemand } from './threads-on-demand.ts'

class ThreadConnection implements DatabaseConnection {
  readonly thread: DatabaseThread

  constructor(thread: DatabaseThread) {
    this.thread = thread
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const params = query.parameters as readonly SqlValue[]
    const { rows, changes } = await this.thread.send({ op: 'execute', sql: query.sql, params })
    return { rows: rows as R[], numAffectedRows: BigInt(changes) }
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize = 100): AsyncIterableIterator<QueryResult<R>> {
    const stream = this.thread.newStreamId()
    const params = query.parameters as readonly SqlValue[]
    await this.thread.send({ op: 'open-stream', stream, sql: query.sql, params })
    const read = () => this.thread.send({ op: 'read-stream', stream, count: chunkSize })
    // Reads ahead, so that the thread does not wait while the caller processes rows.
    const ahead = [read(), read()]
    try {
      for (;;) {
        const { rows, done } = (await ahead.shift()) ?? { rows: [], done: true }
        if (!done) ahead.push(read())
        if (rows.length > 0) yield { rows: rows as R[] }
        if (done) return
      }
    } finally {
      for (const next of ahead) next.catch(() => {})
      await this.thread.send({ op: 'close-stream', stream })
    }
  }
}

/** Lends one connection at a time, because SQLite has one writer. */
class Lender {
  readonly #connection: ThreadConnection
  #last: Promise<void> = Promise.resolve()
  #release = () => {}

  constructor(thread: DatabaseThread) {
    this.#connection = new ThreadConnection(thread)
  }

  async acquire(): Promise<ThreadConnection> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    this.#release = resolve
    return this.#connection
  }

  release(): void {
    this.#release()
  }
}

class WriterDriver implements Driver {
  readonly #lender: Lender

  constructor(thread: DatabaseThread) {
    this.#lender = new Lender(thread)
  }

  async init(): Promise<void> {}
  acquireConnection(): Promise<ThreadConnection> {
    return this.#lender.acquire()
  }
  async beginTransaction(connection: ThreadConnection): Promise<void> {
    await connection.thread.send({ op: 'begin' })
  }
  async commitTransaction(connection: ThreadConnection): Promise<void> {
    await connection.thread.send({ op: 'script', sql: 'commit' })
  }
  async rollbackTransaction(connection: ThreadConnection): Promise<void> {
    await connection.thread.send({ op: 'script', sql: 'rollback' })
  }
  async releaseConnection(): Promise<void> {
    this.#lender.release()
  }
  async destroy(): Promise<void> {}
}

/** Each read runs by itself, outside of a transaction. */
abstract class ReadingDriver implements Driver {
  abstract acquireConnection(): Promise<ThreadConnection>
  async init(): Promise<void> {}
  async beginTransaction(): Promise<void> {
    throw new Error('a reader has no transactions')
  }
  commitTransaction = this.beginTransaction
  rollbackTransaction = this.beginTransaction
  async releaseConnection(_connection: DatabaseConnection): Promise<void> {}
  async destroy(): Promise<void> {}
}

/** Queries that a thread has at the same time: one runs, and the next one does not wait for the main thread. */
const queriesPerThread = 2

/** A connection that has a place in the queue of reads. */
class ReaderConnection extends ThreadConnection {
  readonly leave: () => void

  constructor(thread: DatabaseThread, leave: () => void) {
    super(thread)
    this.leave = leave
  }
}

/** The reads of tenants take turns: one with many slow reads delays a read of another tenant only by those that run. */
class ReaderDriver extends ReadingDriver {
  readonly #threads: readonly DatabaseThread[]
  readonly #turns: FairQueue

  constructor(threads: readonly DatabaseThread[]) {
    super()
    this.#threads = threads
    this.#turns = endlessQueue({ width: threads.length * queriesPerThread })
  }

  async acquireConnection(): Promise<ReaderConnection> {
    const tenant = currentTenant()
    const leave = this.#turns.enterNow(tenant) ?? (await this.#turns.enter(tenant))
    return new ReaderConnection(
      this.#threads.reduce((a, b) => (b.pending < a.pending ? b : a)),
      leave,
    )
  }

  override async releaseConnection(connection: ReaderConnection): Promise<void> {
    connection.leave()
  }
}

class OnDemandDriver extends ReadingDriver {
  readonly #threads: ThreadsOnDemand

  constructor(threads: ThreadsOnDemand) {
    super()
    this.#threads = threads
  }

  async acquireConnection(): Promise<ThreadConnection> {
    return new ThreadConnection(this.#threads.acquire())
  }

  override async releaseConnection(connection: ThreadConnection): Promise<void> {
    this.#threads.release(connection.thread)
  }
}

/** Kysely would lock all connections of SQLite. The drivers in this file decide themselves who waits. */
class ThreadAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function kyselyOver<T>(driver: Driver): Kysely<T> {
  const dialect: Dialect = {
    createAdapter: () => new ThreadAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  return new Kysely<T>({ dialect })
}

/** Kysely whose statements and transactions run on the writer thread, one holder at a time. */
export function writerKysely<T>(thread: DatabaseThread): Kysely<T> {
  return kyselyOver<T>(new WriterDriver(thread))
}

/** Kysely whose queries run on the least busy reader thread. */
export function readerKysely<T>(threads: readonly DatabaseThread[]): Kysely<T> {
  return kyselyOver<T>(new ReaderDriver(threads))
}

/** Kysely whose queries and streams each run on a thread that starts for them. */
export function onDemandKysely<T>(threads: ThreadsOnDemand): Kysely<T> {
  return kyselyOver<T>(new OnDemandDriver(threads))
}
