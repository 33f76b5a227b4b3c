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

/** The query plans of all queries that a function runs. */
async function plansOf(db: Db, explain: string, work: (watched: Db) => Promise<unknown>): Promise<string[]> {
  const seen = new Map<QueryId, RootOperationNode>()
  const nodes = new Set<RootOperationNode>()
  // Kysely also passes subqueries; only the parent query has a result.
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

/** SQLite has no statistics here, so its plans do not depend on the stored rows, and a test can check them. */
describe('the query plan of SQLite', () => {
  let folder: string
  let db: Db

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-plans-'))
    const options = { databaseUrl: undefined, readerThreads: 1, maxExports: 1, maxScans: 1, poolSize: 1 }
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

  it('finds projects with due jobs, and their jobs, by an index', async () => {
    const { rows } = await sql<{ detail: string }>`explain query plan ${dueProjects('q')}`.execute(db.read)
    const details = rows.map(({ detail }) => detail).filter((detail) => detail.includes('jobs'))
    const seeks = details.filter((detail) => detail.includes('USING COVERING INDEX jobs_by_project'))
    expect(seeks).toHaveLength(3)
    expect(details.filter((detail) => detail.startsWith('SCAN jobs'))).toEqual([])
  })

  it('finds the scores of a trace by the id of the trace', async () => {
    expect(await planOf((watched) => createScoreStore(watched).listForTrace('proj_x', 'trc_x'))).toContain(
      byTrace,
    )
  })

  it('exports in the order of an index, with the scores of each trace by its id', async () => {
    const plan = await planOf(async (watched) => {
      for await (const _ of createAnalyticsStore(watched).exportRows('proj_x', { startMs: 0, endMs: 1 }));
    })
    expect(plan).toContain(byTrace)
    expect(plan).toContain(
      'SEARCH traces USING INDEX traces_by_time (project_id=? AND created_at>? AND created_at<?)',
    )
    // Only the few scores of each trace are sorted, not the traces.
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
  it.each(indexes)(
    'lists traces by %j in the order of the index for this filter',
    async (conditions, index) => {
      const after = { createdMs: 5, traceId: 'trc_x' }
      const plan = await planOf((watched) =>
        createTraceStore(watched).positions('proj_x', conditions, { limit: 100, after }),
      )
      expect(plan).toContain(index)
      expect(plan).not.toContain('TEMP B-TREE')
    },
  )

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

/** The statistics of PostgreSQL depend on the stored rows. These plans must not depend on statistics. */
describe('the query plan of PostgreSQL', () => {
  let db: Db

  beforeAll(async () => {
    const databaseUrl = await createMigratedDatabase()
    db = await openDatabase({
      databaseUrl,
      dataDir: '',
      readerThreads: 1,
      maxExports: 1,
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
  it.each(conditions)('reads sessions newest first, and checks each of them for %j', async (others) => {
    const plan = await planOf((watched) => createSessionStore(watched).newest('proj_x', {}, others, 100))
    expect(plan).toMatch(/Index (Only )?Scan .*on traces newest/)
    expect(plan).not.toMatch(/Sort|(Anti|Hash|Merge) Join/)
  })

  it('searches only the texts of traces that match the other conditions', async () => {
    const page = { limit: 100, after: undefined }
    const plan = await planOf((watched) =>
      createTraceStore(watched).positions('proj_x', { text: 'x', status: 'error' }, page),
    )
    expect(plan).toContain('SubPlan')
    expect(plan).not.toMatch(/Join|Nested Loop/)
  })
})
