import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { createTraceStore, type NewTrace, toNewTrace, toRecord } from '@cairn/server/bench/traces'
import type { Db, RowInsert } from '../../../server/src/db/index.ts'
import { registerFunctions } from '../../../server/src/db/sqlite/functions.ts'
import { round } from './results.ts'
import { ofDay, seedTrace, userDays } from './seed-traces.ts'
import { buildServer, createTenant, productionServer, startServer, type Tenant } from './server.ts'

/** A database folder with traces of one project, spread evenly over the 28 days before the folder was created. */
export interface Seeded {
  dataDir: string
  tenant: Tenant
  traces: number
  fromMs: number
  toMs: number
  /** Mean length of a stored trace body. */
  bodyBytes: number
  fileBytes: number
  seconds: number
}

const root = process.env.CAIRN_BENCH_DATA ?? fileURLToPath(new URL('../../../../bench-data', import.meta.url))
const dayMs = 24 * 60 * 60 * 1000
const perTransaction = 20_000

/** Approximate number of traces in the large database; use fewer for a quick try. */
export const manyTraces = Number(process.env.CAIRN_BENCH_TRACES ?? 10_000_000)
export const fewTraces = 10_000
export const seededDays = 28

/** The folder of this size; it is created on first use. */
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

/**
 * The server's store writes the traces of one day, with labels and rollups, and SQL copies them to later days. A copy is
 * moved by whole days, so the stored results of the first day are also valid for the copy.
 */
async function fill(dataDir: string, tenant: Tenant, traces: number): Promise<Seeded> {
  const started = performance.now()
  const note = (what: string) =>
    console.error(`seeding: ${round((performance.now() - started) / 1000)} s, ${what}`)
  const file = join(dataDir, 'cairn.db')
  const toMs = Math.floor(Date.now() / dayMs) * dayMs
  const fromMs = toMs - seededDays * dayMs
  const perDay = Math.floor(traces / seededDays)
  const bulk = openForBulk(file)
  const indexes = dropIndexes(bulk)
  const bytes = await writeDay(bulk, tenant.projectId, fromMs, perDay, note)
  keepDay(bulk)
  for (let day = 1; day < seededDays; day++) {
    copyDay(bulk, day)
    note(`${(day + 1) * perDay} traces`)
  }
  bulk.exec('pragma cache_size = -250000')
  for (const sql of indexes) {
    bulk.exec(sql)
    note(sql.split(' on ')[0] ?? sql)
  }
  bulk.exec('pragma journal_mode = wal')
  bulk.close()
  return {
    dataDir,
    tenant,
    traces: perDay * seededDays,
    fromMs,
    toMs,
    bodyBytes: round(bytes / perDay),
    fileBytes: statSync(file).size,
    seconds: round((performance.now() - started) / 1000),
  }
}

async function writeDay(
  bulk: DatabaseSync,
  projectId: string,
  fromMs: number,
  traces: number,
  note: (what: string) => void,
): Promise<number> {
  const insertAll = insertHere(bulk)
  const store = createTraceStore({ dialect: 'sqlite', insertAll } as Db)
  let bytes = 0
  for (let from = 0; from < traces; from += perTransaction) {
    const batch = Array.from({ length: Math.min(perTransaction, traces - from) }, (_, index) => {
      const createdMs = Math.floor(fromMs + ((from + index) / traces) * dayMs)
      return toNewTrace(projectId, toRecord(seedTrace(from + index, createdMs), createdMs), () => null)
    })
    await store.insert(batch)
    await insertAll([toScores(batch)])
    bytes += batch.reduce((sum, { body }) => sum + body.length, 0)
    note(`${from + batch.length} traces`)
  }
  return bytes
}

const copied = ['traces', 'trace_bodies', 'trace_labels', 'scores', 'rollups']

/** Keeps the first day in memory, because SQLite would buffer a table that is read while it is written. */
function keepDay(bulk: DatabaseSync): void {
  for (const table of copied) {
    bulk.exec(`create temp table day_of_${table} as select * from main.${table}`)
  }
  bulk.exec('create unique index temp.day_of_traces_ids on day_of_traces (trace_id)')
}

/** Copies the first day to a later day with new ids, times and sessions. Users return after `userDays`. */
function copyDay(bulk: DatabaseSync, day: number): void {
  const byMs = day * dayMs
  const moved = (id: string) =>
    id.slice(0, 4) +
    (Number.parseInt(id.slice(4, 13), 36) + byMs).toString(36).padStart(9, '0') +
    id.slice(13)
  const iso = (ms: number) => new Date(ms).toISOString()
  bulk.function(`moved_${day}`, { deterministic: true }, (id) => moved(String(id)))
  bulk.function(`iso_${day}`, { deterministic: true }, (ms) => iso(Number(ms)))
  const id = `moved_${day}(trace_id)`
  const session = `replace(session_id, '${ofDay(0)}', '${ofDay(day)}')`
  const user = `replace(user_id, '${ofDay(0)}', '${ofDay(day % userDays)}')`
  const body = [
    ['trace_id', id],
    [`iso_${day}(created_at)`, `iso_${day}(created_at + ${byMs})`],
    ['session_id', session],
    ['user_id', user],
  ].reduce((text, [from, to]) => `replace(${text}, ${from}, ${to})`, 'cast(body as text)')
  bulk.exec('begin')
  copy(bulk, 'traces', {
    trace_id: id,
    created_at: `created_at + ${byMs}`,
    session_id: session,
    user_id: user,
  })
  bulk.exec(`insert into trace_bodies select project_id, ${id}, cast(${body} as blob)
    from day_of_trace_bodies join day_of_traces using (project_id, trace_id) order by day_of_trace_bodies.rowid`)
  copy(bulk, 'trace_labels', { trace_id: id, created_at: `created_at + ${byMs}` })
  copy(bulk, 'scores', { trace_id: id, created_at: `created_at + ${byMs}` })
  copy(bulk, 'rollups', { bucket: `bucket + ${byMs}` })
  bulk.exec('commit')
}

function copy(bulk: DatabaseSync, table: string, changes: Record<string, string>): void {
  const columns = bulk.prepare(`select name from pragma_table_info('${table}')`).all() as { name: string }[]
  const selected = columns.map(({ name }) => changes[name] ?? name)
  bulk.exec(`insert into main.${table} select ${selected.join()} from day_of_${table}`)
}

function openForBulk(file: string): DatabaseSync {
  const db = new DatabaseSync(file)
  registerFunctions(db)
  // A large SQLite cache costs more than it saves, because the system also caches the file.
  db.exec('pragma journal_mode = delete; pragma locking_mode = exclusive; pragma journal_mode = off')
  db.exec('pragma synchronous = off; pragma foreign_keys = off; pragma cache_size = -64000')
  db.exec('pragma temp_store = memory')
  return db
}

/** Indexes are created at the end by sorting, which is several times faster than row by row. */
function dropIndexes(db: DatabaseSync): string[] {
  const indexes = db
    .prepare(
      "select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name = 'traces'",
    )
    .all() as { name: string; sql: string }[]
  for (const { name } of indexes) db.exec(`drop index ${name}`)
  return indexes.map(({ sql }) => sql)
}

/** `insertAll` on a connection of this thread. */
function insertHere(db: DatabaseSync): Db['insertAll'] {
  const prepared = new Map<string, StatementSync>()
  return async (inserts) => {
    db.exec('begin')
    for (const insert of inserts) {
      if ('packed' in insert) throw new Error('packed rows are of documents')
      const { table, columns, rows, conflict = '' } = insert
      const sql = `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()}) ${conflict}`
      const statement = prepared.get(sql) ?? db.prepare(sql)
      prepared.set(sql, statement)
      for (const row of rows) statement.run(...row)
    }
    db.exec('commit')
  }
}

/** A score from 0 to 1 for every fiftieth trace. */
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

if (import.meta.main) console.log(await seeded(Number(process.argv[2] ?? manyTraces)))
