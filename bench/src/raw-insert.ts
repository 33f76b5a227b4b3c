import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrate, openDatabase } from '../../server/src/db/index.ts'
import { temporaryFolder } from './support/server.ts'
import { traceBody } from './support/traces.ts'

const perTransaction = 1000

/** An empty database with the real schema, opened as the server's writer opens it. */
async function openMigrated(folder: string): Promise<DatabaseSync> {
  const options = { dataDir: folder, databaseUrl: undefined, readerThreads: 1, maxStreams: 1, poolSize: 2 }
  const db = await openDatabase(options)
  await migrate(db)
  await db.close()
  const raw = new DatabaseSync(join(folder, 'cairn.db'))
  raw.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;')
  raw.exec('pragma cache_size = -16000')
  raw.exec("insert into projects (project_id, name, created_at) values ('proj_raw', 'raw', 0)")
  return raw
}

/** Traces per second into the tables of the server: prepared statements in a loop, nothing around them. */
export async function rawInsertRate(seconds: number): Promise<number> {
  const folder = temporaryFolder()
  const db = await openMigrated(folder.path)
  const fact = db.prepare(
    `insert into traces (project_id, trace_id, created_at, status, model, version, session_id, user_id,
      environment, latency_ms, cost) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const content = db.prepare('insert into trace_bodies (project_id, trace_id, body) values (?, ?, ?)')
  const body = Buffer.from(JSON.stringify(traceBody(1)))
  const start = performance.now()
  let written = 0
  while (performance.now() - start < seconds * 1000) {
    db.exec('begin immediate')
    const ids = Array.from({ length: perTransaction }, () => `trc_${String(written++).padStart(20, '0')}`)
    for (const [index, id] of ids.entries()) {
      fact.run(
        'proj_raw',
        id,
        written + index,
        'success',
        'model-1',
        '1.2.0',
        's',
        'u',
        'production',
        100,
        0.01,
      )
    }
    for (const id of ids) content.run('proj_raw', id, body)
    db.exec('commit')
  }
  const rate = written / ((performance.now() - start) / 1000)
  db.close()
  folder.remove()
  return rate
}
