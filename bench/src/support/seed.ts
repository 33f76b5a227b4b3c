import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { createTraceStore, type NewTrace, toNewTrace, toRecord } from '@cairn/server/traces'
import { type Db, migrate, openDatabase, type RowInsert } from '../../../server/src/db/index.ts'
import { registerFunctions } from '../../../server/src/db/sqlite/functions.ts'
import { round } from './results.ts'
import { seedTrace } from './seed-traces.ts'
import { buildServer, createTenant, productionServer, startServer, type Tenant } from './server.ts'

/** A database folder with traces of one project, spread evenly over a stretch of time that ends at its making. */
export interface Seeded {
  dataDir: string
  tenant: Tenant
  traces: number
  fromMs: number
  toMs: number
  /** Mean length of a stored body. */
  bodyBytes: number
  fileBytes: number
  seconds: number
}

const root = process.env.CAIRN_BENCH_DATA ?? fileURLToPath(new URL('../../../../bench-data', import.meta.url))
const spanMs = 30 * 24 * 60 * 60 * 1000
const perTransaction = 20_000

/** How many traces the large database holds; fewer to try something. */
export const manyTraces = Number(process.env.CAIRN_BENCH_TRACES ?? 10_000_000)
export const fewTraces = 10_000

/** The folder of this size; made when it is not there yet, or too old for the default period. */
export async function seeded(traces: number): Promise<Seeded> {
  const dataDir = join(root, `${traces}-traces`)
  const note = join(dataDir, 'seeded.json')
  if (existsSync(note)) return JSON.parse(readFileSync(note, 'utf8')) as Seeded
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  buildServer()
  const server = await startServer({ command: productionServer, dataDir })
  const tenant = await createTenant(server.url)
  await server.stop()
  const result = await fill(dataDir, tenant, traces)
  writeFileSync(note, `${JSON.stringify(result, null, 2)}\n`)
  return result
}

/** Writes by the store of the server, so that labels and rollups are its own; only durability waits until the end. */
async function fill(dataDir: string, tenant: Tenant, traces: number): Promise<Seeded> {
  const started = performance.now()
  const file = join(dataDir, 'cairn.db')
  const toMs = Date.now()
  const fromMs = toMs - spanMs
  const db = await openDatabase({
    dataDir,
    databaseUrl: undefined,
    readerThreads: 1,
    maxStreams: 1,
    poolSize: 2,
  })
  await migrate(db)
  await db.close()
  const bulk = openForBulk(file)
  const indexes = dropIndexes(bulk)
  const insertAll = insertHere(bulk)
  const store = createTraceStore({ ...db, insertAll } satisfies Db)
  let bytes = 0
  for (let from = 0; from < traces; from += perTransaction) {
    const count = Math.min(perTransaction, traces - from)
    const batch = Array.from({ length: count }, (_, index) => {
      const createdMs = Math.floor(fromMs + ((from + index) / traces) * spanMs)
      return toNewTrace(tenant.projectId, toRecord(seedTrace(from + index, createdMs), createdMs), () => null)
    })
    await store.insert(batch)
    await insertAll([toScores(batch)])
    bytes += batch.reduce((sum, { body }) => sum + body.length, 0)
    showProgress(from + count, traces, started)
  }
  for (const sql of indexes) {
    console.error(`seeding: ${sql.slice(0, 60)} …`)
    bulk.exec(sql)
  }
  bulk.exec('pragma journal_mode = wal')
  bulk.close()
  const seconds = round((performance.now() - started) / 1000)
  const bodyBytes = round(bytes / traces)
  return { dataDir, tenant, traces, fromMs, toMs, bodyBytes, fileBytes: statSync(file).size, seconds }
}

function openForBulk(file: string): DatabaseSync {
  const db = new DatabaseSync(file)
  registerFunctions(db)
  db.exec('pragma locking_mode = exclusive; pragma journal_mode = off; pragma synchronous = off')
  db.exec('pragma foreign_keys = off; pragma cache_size = -800000; pragma temp_store = file')
  return db
}

/** Indexes are made at the end, by sorting: that is several times faster than row by row. */
function dropIndexes(db: DatabaseSync): string[] {
  const indexes = db
    .prepare(
      "select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name = 'traces'",
    )
    .all() as { name: string; sql: string }[]
  for (const { name } of indexes) db.exec(`drop index ${name}`)
  return indexes.map(({ sql }) => sql)
}

/** `insertAll` on a connection in this thread. */
function insertHere(db: DatabaseSync): Db['insertAll'] {
  const prepared = new Map<string, StatementSync>()
  return async (inserts) => {
    db.exec('begin')
    for (const { table, columns, rows, conflict = '' } of inserts) {
      const sql = `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()}) ${conflict}`
      const statement = prepared.get(sql) ?? db.prepare(sql)
      prepared.set(sql, statement)
      for (const row of rows) statement.run(...row)
    }
    db.exec('commit')
  }
}

/** A score of every fiftieth trace, from 0 to 1. */
function toScores(batch: readonly NewTrace[]): RowInsert {
  return {
    table: 'scores',
    columns: ['project_id', 'trace_id', 'score_id', 'name', 'value', 'created_at'],
    rows: batch
      .filter((_, index) => index % 50 === 0)
      .map(({ traceId, facts }, index) => [
        facts.projectId,
        traceId,
        traceId.replace('trc_', 'scr_'),
        'helpful',
        (index % 11) / 10,
        facts.createdMs,
      ]),
  }
}

function showProgress(done: number, traces: number, started: number): void {
  if (done % 500_000 !== 0 && done !== traces) return
  const seconds = (performance.now() - started) / 1000
  console.error(`seeding: ${done} of ${traces} traces, ${round(seconds)} s, ${round(done / seconds)}/s`)
}

if (import.meta.main) console.log(await seeded(Number(process.argv[2] ?? manyTraces)))
