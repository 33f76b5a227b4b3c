import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { currentTenant } from '../lib/current-work.ts'
import { isRetryable } from '../lib/database-error.ts'
import { endlessQueue } from '../lib/fair-queue.ts'
import { unpackRows } from '../lib/packed-rows.ts'
import { type AnyInsert, type Db, maxScanStatementMs, type RowInsert } from './database.ts'
import { insertStatements } from './insert-rows.ts'
import type { Tables } from './schema.ts'
import type { SqlValue } from './sqlite/protocol.ts'
import { withWriters } from './writers.ts'

const maxTries = 5

/** The type of 64-bit integers; all values in our tables are safe integers. */
const int8 = 20
/** The type of exact decimals, which sums of integers have. */
const numeric = 1700
/** The type of integer arrays; the parser of the driver takes ten times as long. */
const int4Array = 1007

function parseIntegers(text: string): Int32Array {
  return text === '{}' ? new Int32Array() : Int32Array.from(text.slice(1, -1).split(','), Number)
}

function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === int8 || oid === numeric) return Number
  if (oid === int4Array) return parseIntegers
  return pg.types.getTypeParser(oid, format as 'text')
}

async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (tried === maxTries || !isRetryable(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * tried))
    }
  }
}

function unpacked(insert: AnyInsert): RowInsert {
  if (!('packed' in insert)) return insert
  const { table, columns, common, packed } = insert
  return { table, columns, rows: unpackRows(packed).map((row) => [...common, ...(row as SqlValue[])]) }
}

async function insertAll(
  pool: Connections,
  inserts: readonly AnyInsert[],
  after: readonly CompiledQuery[],
  durable: boolean,
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    // The write-ahead log is in order, so the next durable commit also makes this one durable.
    if (!durable) await client.query('set local synchronous_commit = off')
    for (const insert of inserts) {
      for (const statement of insertStatements('postgres', unpacked(insert))) {
        await client.query(statement.sql, statement.parameters)
      }
    }
    for (const { sql, parameters } of after) await client.query(sql, [...parameters])
    await client.query('commit')
    client.release()
  } catch (error) {
    // If the rollback fails, the client is broken and is removed from the pool.
    const broken = await client.query('rollback').then(
      () => false,
      () => true,
    )
    client.release(broken)
    throw error
  }
}

function openPool(url: string, max: number, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'cairn',
    // Limits the wait for a connection, so that a lost host is noticed.
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
    ...options,
  })
  // An idle client that loses its connection is replaced on the next use.
  pool.on('error', () => {})
  // The pool does not listen to a client in use; without a listener, a lost connection would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

type Connections = Pick<pg.Pool, 'end' | 'options'> & { connect(): Promise<pg.PoolClient> }

/**
 * A pool whose connections are given to tenants in turn, so that one with many slow statements delays a statement of another
 * tenant only by those that run.
 */
function inTurns(pool: pg.Pool, size: number): Connections {
  const turns = endlessQueue({ width: size })
  return {
    options: pool.options,
    async connect(): Promise<pg.PoolClient> {
      const leave = await turns.enter(currentTenant())
      try {
        const client = await pool.connect()
        // The pool sets it anew for each use.
        const release = client.release
        client.release = (error) => {
          release.call(client, error)
          leave()
        }
        return client
      } catch (error) {
        leave()
        throw error
      }
    },
    end: () => pool.end(),
  }
}

function kyselyOver(pool: Connections): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool, cursor: Cursor }) })
}

interface PoolSizes {
  /** Connections of the main pool. */
  poolSize: number
  maxScans: number
  maxExports: number
}

/** Opens pools on `url`; only the main pool connects immediately. */
export async function openPostgres(url: string, { poolSize, maxScans, maxExports }: PoolSizes): Promise<Db> {
  const pool = openPool(url, poolSize)
  const client = await pool.connect()
  client.release()
  const shared = inTurns(pool, poolSize)
  const kysely = kyselyOver(shared)
  const scans = kyselyOver(openPool(url, maxScans, { statement_timeout: maxScanStatementMs }))
  const streams = kyselyOver(openPool(url, maxExports))
  return {
    dialect: 'postgres',
    read: kysely,
    scans,
    streams,
    // One connection stays free for readers, and one for writes of other tenants.
    ...withWriters(
      { width: Math.max(1, poolSize - 1), widthPerProject: Math.max(1, poolSize - 2) },
      {
        transaction: (work) => withRetries(() => kysely.transaction().execute(work)),
        insertAll: (inserts, after = [], { durable = true } = {}) =>
          withRetries(() => insertAll(shared, inserts, after, durable)),
      },
    ),
    close: async () => {
      await Promise.all([kysely.destroy(), scans.destroy(), streams.destroy()])
    },
  }
}
