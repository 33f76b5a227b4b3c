import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createQueryId, type KyselyPlugin, type QueryId, type RootOperationNode, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMigratedDatabase } from '../../../e2e/support/databases.ts'
import { type Db, migrate, openDatabase } from '../../src/db/index.ts'
import { createAnalyticsStore } from '../../src/domains/analytics/store.ts'
import { createScoreStore } from '../../src/domains/scores/store.ts'
import { createSessionStore } from '../../src/domains/sessions/store.ts'
import type { TraceConditions } from '../../src/domains/traces/index.ts'
import { createTraceStore } from '../../src/domains/traces/store.ts'
import { dueProjects } from '../../src/jobs/store.ts'

/** The queries that some work makes, each as the database plans it. */
async function plansOf(db: Db, explain: string, work: (watched: Db) => Promise<unknown>): Promise<string[]> {
  const seen = new Map<QueryId, RootOperationNode>()
  const nodes = new Set<RootOperationNode>()
  // Subqueries come by here as well; a result has what was asked.
  const results: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      seen.set(queryId, node)
      return node
    },
    transformResult: async ({ result, queryId }) => {
      const node = seen.get(queryId)
      if (node) nodes.add(node)
      return result
    },
  }
  // A stream without rows has no result.
  const queries: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.add(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await work({
    ...db,
    read: db.read.withPlugin(results),
    scans: db.scans.withPlugin(results),
    streams: db.streams.withPlugin(queries),
  })
  const plans = await Promise.all(
    Array.from(nodes, async (node) => {
      const query = db.read.getExecutor().compileQuery(node, createQueryId())
      const { rows } = await db.read.executeQuery<Record<string, string>>({
        ...query,
        sql: `${explain} ${query.sql}`,
      })
      return rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? '').join('\n')
    }),
  )
  expect(plans.length).toBeGreaterThan(0)
  return plans
}

/** SQLite keeps no statistics, so that its plans do not depend on what is stored: a test can hold them. */
describe('the query plan of SQLite', () => {
  let folder: string
  let db: Db

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-plans-'))
    const options = { databaseUrl: undefined, readerThreads: 1, maxStreams: 1, maxScans: 1, poolSize: 1 }
    db = await openDatabase({ ...options, dataDir: folder })
    await migrate(db)
  })
  afterAll(async () => {
    await db?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const planOf = async (work: (watched: Db) => Promise<unknown>) =>
    (await plansOf(db, 'explain query plan', work)).join('\n')

  const byTrace = 'SEARCH scores USING INDEX sqlite_autoindex_scores_1 (project_id=? AND trace_id=?)'

  it('finds projects with due jobs, and their jobs, by an index of both, however many jobs there are', async () => {
    const { rows } = await sql<{ detail: string }>`explain query plan ${dueProjects('q')}`.execute(db.read)
    const details = rows.map(({ detail }) => detail).filter((detail) => detail.includes('jobs'))
    const seeks = details.filter((detail) => detail.includes('USING COVERING INDEX jobs_by_project'))
    expect(seeks).toHaveLength(3)
    expect(details.filter((detail) => detail.startsWith('SCAN jobs'))).toEqual([])
  })

  it('finds the scores of a trace by the trace', async () => {
    expect(await planOf((watched) => createScoreStore(watched).listForTrace('proj_x', 'trc_x'))).toContain(
      byTrace,
    )
  })

  it('exports in the order of an index, with the scores of each trace by the trace', async () => {
    const plan = await planOf(async (watched) => {
      for await (const _ of createAnalyticsStore(watched).exportRows('proj_x', { startMs: 0, endMs: 1 }));
    })
    expect(plan).toContain(byTrace)
    expect(plan).toContain(
      'SEARCH traces USING INDEX traces_by_time (project_id=? AND created_at>? AND created_at<?)',
    )
    // The few scores of each trace are sorted, the traces are not.
    expect(plan.match(/TEMP B-TREE/g)).toHaveLength(1)
  })

  const indexes: [TraceConditions, string][] = [
    [{}, 'traces_by_time'],
    [{ status: 'error' }, 'traces_by_status'],
    [{ model: 'x' }, 'traces_by_model'],
    [{ version: 'x' }, 'traces_by_version'],
    [{ environment: 'x' }, 'traces_by_environment'],
    [{ sessionId: 'x' }, 'traces_by_session'],
    [{ userId: 'x' }, 'traces_by_user'],
    [{ labels: [{ name: 'tag', value: 'x' }] }, 'PRIMARY KEY (project_id=? AND name=? AND value=?'],
  ]
  it.each(indexes)('lists traces by %j in the order of an index of its own', async (conditions, index) => {
    const after = { createdMs: 5, traceId: 'trc_x' }
    const plan = await planOf((watched) =>
      createTraceStore(watched).positions('proj_x', conditions, { limit: 100, after }),
    )
    expect(plan).toContain(index)
    expect(plan).not.toContain('TEMP B-TREE')
  })

  it.each(indexes)(
    'reads a slice of traces by %j from the index, bounded at both ends',
    async (conditions) => {
      const [after, upTo] = [
        { createdMs: 5, traceId: 'trc_x' },
        { createdMs: 3, traceId: 'trc_a' },
      ]
      const plan = await planOf((watched) =>
        createTraceStore(watched).scannedPositions('proj_x', { ...conditions, text: 'x', after, upTo }, 100),
      )
      expect(plan).toMatch(/\(created_at,trace_id\)>\(\?,\?\) AND \(created_at,trace_id\)<\(\?,\?\)/)
      expect(plan).not.toContain('TEMP B-TREE')
    },
  )
})

/** What PostgreSQL guesses depends on what is stored: these plans must not depend on its guesses. */
describe('the query plan of PostgreSQL', () => {
  let db: Db

  beforeAll(async () => {
    const databaseUrl = await createMigratedDatabase()
    db = await openDatabase({
      databaseUrl,
      dataDir: '',
      readerThreads: 1,
      maxStreams: 1,
      maxScans: 1,
      poolSize: 1,
    })
  })
  afterAll(() => db?.close())

  const planOf = async (work: (watched: Db) => Promise<unknown>) =>
    (await plansOf(db, 'explain', work)).join('\n')

  const conditions: TraceConditions[] = [
    {},
    { text: 'x' },
    { status: 'error' },
    { labels: [{ name: 'tag', value: 'x' }] },
  ]
  it.each(conditions)('goes through sessions newest first, and asks each of them for %j', async (others) => {
    const plan = await planOf((watched) => createSessionStore(watched).newest('proj_x', {}, others, 100))
    expect(plan).toMatch(/Index (Only )?Scan .*on traces newest/)
    expect(plan).not.toMatch(/Sort|(Anti|Hash|Merge) Join/)
  })

  it('searches the texts of no trace that other conditions leave out', async () => {
    const page = { limit: 100, after: undefined }
    const plan = await planOf((watched) =>
      createTraceStore(watched).positions('proj_x', { text: 'x', status: 'error' }, page),
    )
    expect(plan).toContain('SubPlan')
    expect(plan).not.toMatch(/Join|Nested Loop/)
  })
})
