import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CreateTrace } from '@cairn/contract'
import { toNewTrace, toRecord } from '@cairn/server/bench/traces'
import { migrate, openDatabase } from '../../server/src/db/index.ts'
import { temporaryFolder } from './support/server.ts'
import { traceBody } from './support/traces.ts'

const perTransaction = 1000

/** Opens an empty database with the real schema and the settings of the server's writer. */
async function openMigrated(folder: string): Promise<DatabaseSync> {
  const options = {
    dataDir: folder,
    databaseUrl: undefined,
    readerThreads: 1,
    maxExports: 1,
    maxScans: 1,
    poolSize: 2,
  }
  const db = await openDatabase(options)
  await migrate(db)
  await db.close()
  const raw = new DatabaseSync(join(folder, 'cairn.db'))
  raw.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;')
  raw.exec('pragma cache_size = -16000')
  raw.exec("insert into project_rows (project_id, name, created_at) values ('proj_raw', 'raw', 0)")
  return raw
}

/** One insert statement per table, with the columns of the server. */
function statements(db: DatabaseSync) {
  const fact = db.prepare(
    `insert into traces (project_id, trace_id, created_at, status, model, version, session_id, user_id, environment,
      latency_ms, cost, cost_source, llm_cost, embedding_cost, reranking_cost, prompt_tokens, completion_tokens,
      total_tokens) values (${Array(18).fill('?').join()})`,
  )
  const content = db.prepare('insert into trace_bodies (project_id, trace_id, body) values (?, ?, ?)')
  const label = db.prepare(
    'insert into trace_labels (project_id, name, value, created_at, trace_id) values (?, ?, ?, ?, ?)',
  )
  return { fact, content, label }
}

/** Traces per second that prepared statements in a loop insert into the server's tables, without rollups. */
export async function rawInsertRate(seconds: number): Promise<number> {
  const folder = temporaryFolder()
  const db = await openMigrated(folder.path)
  const { fact, content, label } = statements(db)
  const bodies = Array.from({ length: perTransaction }, (_, number) =>
    toNewTrace('proj_raw', toRecord(traceBody(number) as CreateTrace), () => null),
  )
  const start = performance.now()
  let written = 0
  while (performance.now() - start < seconds * 1000) {
    db.exec('begin immediate')
    const ids = bodies.map(() => `trc_${String(written++).padStart(20, '0')}`)
    const now = Date.now()
    for (const [index, { facts, sessionId, userId, costSource }] of bodies.entries()) {
      const { projectId, status, model, version, environment, latencyMs, cost } = facts
      fact.run(
        projectId,
        ids[index] ?? '',
        now,
        status,
        model,
        version,
        sessionId,
        userId,
        environment,
        latencyMs,
        cost?.total ?? null,
        costSource,
        cost?.llm ?? null,
        cost?.embedding ?? null,
        cost?.reranking ?? null,
        facts.promptTokens,
        facts.completionTokens,
        facts.totalTokens,
      )
    }
    for (const [index, { body }] of bodies.entries()) content.run('proj_raw', ids[index] ?? '', body)
    for (const [index, { labels }] of bodies.entries()) {
      for (const { name, value } of labels) label.run('proj_raw', name, value, now, ids[index] ?? '')
    }
    db.exec('commit')
  }
  const rate = written / ((performance.now() - start) / 1000)
  db.close()
  folder.remove()
  return rate
}
