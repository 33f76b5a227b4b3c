import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { unpackRows } from '../../lib/packed-rows.ts'
import { yieldToOthers } from '../../lib/thread-priority.ts'
import { maxScanStatementMs } from '../database.ts'
import { registerFunctions } from './functions.ts'
import type {
  BatchStatement,
  SqlValue,
  ThreadRequest,
  ThreadResponse,
  ThreadResult,
  ThreadSetup,
} from './protocol.ts'

/**
 * A database thread, so that SQL never runs on the event loop. The writer owns the only writing connection. A reader
 * opens a separate connection for each stream, because an unfinished statement would keep the other reads of the
 * connection in its old snapshot.
 */
const setup = workerData as ThreadSetup
const statementsKept = 256
/** Time to wait for locks of other processes. */
const busyMs = 10_000
const sleeper = new Int32Array(new SharedArrayBuffer(4))
/**
 * Another thread checkpoints the log, but it cannot finish while new pages are written. At this many pages (64 MB), the
 * writer checkpoints the rest, so that the log starts again.
 */
const mostLogPages = 16_384
const streamStepBytes = 4 * 1024 * 1024

const readsOnly = setup.role !== 'writer' && setup.role !== 'checkpointer'
if (setup.role === 'scanner' || setup.role === 'exporter') yieldToOthers()

/** SQLITE_INTERRUPT */
const interrupted = 9
let statementBegan = 0

/** SQLite has no time limit for statements, so slow functions check the clock. */
function checkTime(): void {
  if (setup.role !== 'scanner' || performance.now() - statementBegan < maxScanStatementMs) return
  throw Object.assign(new Error('the statement took too long'), { errcode: interrupted })
}

/** Page cache of a connection in kilobytes. Scans and exports read most pages once. */
const cacheKb = setup.role === 'writer' || setup.role === 'reader' ? 16_000 : 2_000

function connect(): DatabaseSync {
  const db = new DatabaseSync(setup.file, { readOnly: readsOnly, timeout: busyMs })
  db.exec(`pragma foreign_keys = on; pragma cache_size = -${cacheKb}; pragma temp_store = memory;`)
  // FULL: a commit is on disk before it is acknowledged.
  if (setup.role === 'writer') {
    db.exec('pragma journal_mode = wal; pragma synchronous = full;')
    db.exec(`pragma wal_autocheckpoint = ${mostLogPages}`)
  }
  registerFunctions(db, checkTime)
  return db
}

const db = connect()
const prepared = new Map<string, StatementSync>()
const streams = new Map<number, { db: DatabaseSync; rows: Iterator<Record<string, unknown>> }>()

function prepare(sql: string): StatementSync {
  const known = prepared.get(sql)
  if (known) return known
  const oldest = prepared.keys().next()
  if (prepared.size >= statementsKept && !oldest.done) prepared.delete(oldest.value)
  const statement = db.prepare(sql)
  prepared.set(sql, statement)
  return statement
}

function execute(sql: string, params: readonly SqlValue[]): ThreadResult {
  statementBegan = performance.now()
  const statement = prepare(sql)
  if (statement.columns().length > 0) return { rows: statement.all(...params), changes: 0 }
  return { rows: [], changes: Number(statement.run(...params).changes) }
}

/**
 * Begins a write transaction, also if another process is writing. SQLite's own wait sleeps longer after each try. It
 * would rarely hit the short pauses of a process that writes continuously, such as an import.
 */
function begin(): void {
  const until = performance.now() + busyMs
  db.exec('pragma busy_timeout = 0')
  try {
    for (;;) {
      try {
        db.exec('begin immediate')
        return
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error
        Atomics.wait(sleeper, 0, 0, 1)
      }
    }
  } finally {
    db.exec(`pragma busy_timeout = ${busyMs}`)
  }
}

function isBusy(error: unknown): boolean {
  return ((resultCodeOf(error) ?? 0) & 0xff) === 5
}

function* rowsOf(statement: BatchStatement): Generator<readonly SqlValue[]> {
  if ('rows' in statement) return yield* statement.rows
  for (const row of unpackRows(statement.packed)) yield [...statement.common, ...(row as SqlValue[])]
}

function runAll(statements: readonly BatchStatement[]): ThreadResult {
  let changes = 0
  begin()
  try {
    for (const each of statements) {
      const statement = prepare(each.sql)
      for (const row of rowsOf(each)) changes += Number(statement.run(...row).changes)
    }
    db.exec('commit')
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
  return { rows: [], changes }
}

/** The log is in order, so the next durable commit also makes a non-durable batch durable. */
function runBatch(statements: readonly BatchStatement[], durable: boolean): ThreadResult {
  if (durable) return runAll(statements)
  db.exec('pragma synchronous = normal')
  try {
    return runAll(statements)
  } finally {
    db.exec('pragma synchronous = full')
  }
}

function openStream(stream: number, sql: string, params: readonly SqlValue[]): ThreadResult {
  const own = connect()
  streams.set(stream, { db: own, rows: own.prepare(sql).iterate(...params) })
  return { rows: [], changes: 0 }
}

function sizeOf(row: Record<string, unknown>): number {
  let bytes = 0
  for (const name in row) {
    const value = row[name]
    if (value instanceof Uint8Array || typeof value === 'string') bytes += value.length
  }
  return bytes
}

/** Returns at most `count` rows; fewer if they are large, so that the memory of a request stays bounded. */
function readStream(stream: number, count: number): ThreadResult {
  const rows: Record<string, unknown>[] = []
  const source = streams.get(stream)?.rows
  for (let bytes = 0; source && rows.length < count && bytes < streamStepBytes; ) {
    const next = source.next()
    if (next.done) return { rows, changes: 0, done: true }
    rows.push(next.value)
    bytes += sizeOf(next.value)
  }
  return { rows, changes: 0 }
}

function closeStream(stream: number): ThreadResult {
  streams.get(stream)?.db.close()
  streams.delete(stream)
  return { rows: [], changes: 0 }
}

function handle(request: ThreadRequest): ThreadResult {
  switch (request.op) {
    case 'execute':
      return execute(request.sql, request.params)
    case 'batch':
      return runBatch(request.statements, request.durable)
    case 'begin':
      begin()
      return { rows: [], changes: 0 }
    case 'script':
      db.exec(request.sql)
      return { rows: [], changes: 0 }
    case 'open-stream':
      return openStream(request.stream, request.sql, request.params)
    case 'read-stream':
      return readStream(request.stream, request.count)
    case 'close-stream':
      return closeStream(request.stream)
    case 'close':
      for (const stream of streams.keys()) closeStream(stream)
      clearTimeout(idle)
      db.close()
      return { rows: [], changes: 0 }
  }
}

function resultCodeOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' ? code : undefined
}

/** After this idle time, SQLite's cached pages are freed. */
const idleMs = 5_000
let idle: NodeJS.Timeout | undefined

function rest(): void {
  idle ??= setTimeout(() => db.exec('pragma shrink_memory'), idleMs).unref()
  idle.refresh()
}

parentPort?.on('message', ({ id, request }: { id: number; request: ThreadRequest }) => {
  let response: ThreadResponse
  try {
    response = { id, ok: true, result: handle(request) }
  } catch (error) {
    response = {
      id,
      ok: false,
      message: error instanceof Error ? error.message : String(error),
      resultCode: resultCodeOf(error),
    }
  }
  parentPort?.postMessage(response)
  if (request.op !== 'close') rest()
})
