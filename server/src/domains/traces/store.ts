import { type CompiledQuery, sql } from 'kysely'
import { type Db, outcomeOf, type RowInsert, type Tables } from '../../db/index.ts'
import { hasProject } from '../access/index.ts'
import { chargeStatements } from '../credits/index.ts'
import type { Pricing } from '../prices/index.ts'
import { Increments, rollupUpsert } from '../rollups/index.ts'
import type { Charge } from '../usage/index.ts'
import type { CostSource } from './cost.ts'
import type { NewTrace } from './facts.ts'
import {
  deleteTraces,
  existingTraces,
  repriceTraces,
  selectTraces,
  type TraceConditions,
  type TracePosition,
  whereTraces,
} from './store/index.ts'

/** A trace as stored; its cost may have been computed, and then is not in the body. */
export interface StoredTrace {
  trace_id: string
  created_at: number
  cost: number | null
  cost_source: CostSource
  body: Uint8Array
}

/** The columns that tell with the body what a trace is. */
export const storedColumns = [
  'traces.trace_id',
  'traces.created_at',
  'traces.cost',
  'traces.cost_source',
  'trace_bodies.body',
] as const

const factColumns = [
  'project_id',
  'trace_id',
  'created_at',
  'status',
  'model',
  'version',
  'session_id',
  'user_id',
  'environment',
  'latency_ms',
  'cost',
  'cost_source',
  'llm_cost',
  'embedding_cost',
  'reranking_cost',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
] as const satisfies (keyof Tables['traces'])[]

function toFactRow({ traceId, facts, costSource, sessionId, userId }: NewTrace) {
  return [
    facts.projectId,
    traceId,
    facts.createdMs,
    facts.status,
    facts.model,
    facts.version,
    sessionId,
    userId,
    facts.environment,
    facts.latencyMs,
    facts.cost?.total ?? null,
    costSource,
    facts.cost?.llm ?? null,
    facts.cost?.embedding ?? null,
    facts.cost?.reranking ?? null,
    facts.promptTokens,
    facts.completionTokens,
    facts.totalTokens,
  ]
}

/** Everything of the traces but the rollups. */
function traceInserts(traces: readonly NewTrace[]): RowInsert[] {
  return [
    { table: 'traces', columns: factColumns, rows: traces.map(toFactRow) },
    {
      table: 'trace_bodies',
      columns: ['project_id', 'trace_id', 'body'],
      rows: traces.map(({ traceId, facts, body }) => [facts.projectId, traceId, body]),
    },
    {
      table: 'trace_labels',
      columns: ['project_id', 'name', 'value', 'created_at', 'trace_id'],
      rows: traces.flatMap(({ traceId, facts, labels }) =>
        labels.map(({ name, value }) => [facts.projectId, name, value, facts.createdMs, traceId]),
      ),
    },
  ]
}

/** Rows of other tables that a transaction of traces writes, and statements behind them. */
export interface StepRows {
  inserts?: readonly RowInsert[]
  after?: readonly CompiledQuery[]
}

/**
 * Why nothing was written: a project of the traces is deleted, a trace or an Idempotency-Key is there already, or the
 * import of the file stands elsewhere.
 */
export type WriteRefusal = 'no_project' | 'taken' | 'import_elsewhere'

interface InsertOptions {
  charges?: readonly Charge[]
  /** Statements that run last. */
  after?: readonly CompiledQuery[]
  /** The rollup increments of the traces, if the caller has computed them. */
  increments?: Increments
  /** False when a durable write follows, which brings this one to the disk, too. */
  durable?: boolean
}

export interface Page {
  limit: number
  /** The place of the last trace of the page before. */
  after: TracePosition | undefined
}

export type TraceStore = ReturnType<typeof createTraceStore>

export function createTraceStore(db: Db) {
  function inOrder(read: Db['read'], projectId: string, conditions: TraceConditions) {
    const { query, createdAt, traceId } = selectTraces({ read, dialect: db.dialect }, projectId, conditions)
    return query
      .select(['traces.trace_id as traceId', 'traces.created_at as createdMs'])
      .orderBy(createdAt as 'traces.created_at', 'desc')
      .orderBy(traceId as 'traces.trace_id', 'desc')
  }

  async function load(read: Db['read'], projectId: string, ids: readonly string[]): Promise<StoredTrace[]> {
    if (ids.length === 0) return []
    const rows = await read
      .selectFrom('traces')
      .innerJoin('trace_bodies', (join) =>
        join
          .onRef('trace_bodies.project_id', '=', 'traces.project_id')
          .onRef('trace_bodies.trace_id', '=', 'traces.trace_id'),
      )
      .select(storedColumns)
      .where('traces.project_id', '=', projectId)
      .where('traces.trace_id', 'in', ids)
      .execute()
    return rows as StoredTrace[]
  }

  return {
    /**
     * All of them with what they add to the rollups, in one transaction, durable when it resolves. `others` are
     * rows that belong to the same transaction, as `charges` do.
     */
    insert(
      traces: readonly NewTrace[],
      others: readonly RowInsert[] = [],
      { charges = [], after = [], increments = Increments.of(traces), durable = true }: InsertOptions = {},
    ): Promise<'inserted' | WriteRefusal> {
      const ofCharges = chargeStatements(db, charges)
      const write = async (): Promise<'inserted'> => {
        await db.insertAll(
          [...traceInserts(traces), ...others, rollupUpsert(db.dialect, increments), ...ofCharges.inserts],
          [...ofCharges.after, ...after],
          { durable },
        )
        return 'inserted'
      }
      return outcomeOf(write, { missing: 'no_project', duplicate: 'taken', aborted: 'import_elsewhere' })
    },

    /** Whether the project exists and is not being deleted. */
    hasProject: (projectId: string): Promise<boolean> => hasProject(db.read, projectId),

    /** The ids that exist. */
    existing(projectId: string, ids: readonly string[]): Promise<Set<string>> {
      return existingTraces(db, projectId, ids)
    },

    /** A page of the places of traces that meet the conditions. An index has to lead to them. */
    positions(
      projectId: string,
      conditions: TraceConditions,
      { limit, after }: Page,
    ): Promise<TracePosition[]> {
      return inOrder(db.read, projectId, { ...conditions, after })
        .limit(limit)
        .execute()
    },

    /** The same where traces have to be looked at and passed over: a slice of a scan. */
    scannedPositions(
      projectId: string,
      conditions: TraceConditions,
      limit: number,
    ): Promise<TracePosition[]> {
      return inOrder(db.scans, projectId, conditions).limit(limit).execute()
    },

    /** The place of the last of so many traces; undefined when there are fewer. An index has to lead to them. */
    boundary(
      projectId: string,
      conditions: TraceConditions,
      rows: number,
    ): Promise<TracePosition | undefined> {
      return inOrder(db.scans, projectId, conditions)
        .limit(1)
        .offset(rows - 1)
        .executeTakeFirst()
    },

    /** Those of the traces that meet the conditions: a slice of a scan. */
    async meeting(projectId: string, conditions: TraceConditions, ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return []
      const traces = db.scans.selectFrom('traces').select('traces.trace_id')
      const rows = await whereTraces(db.dialect, traces, projectId, conditions)
        .where('traces.trace_id', 'in', ids)
        .execute()
      return rows.map(({ trace_id }) => trace_id)
    },

    /** How many bytes those of the traces have that are there. */
    sizes(projectId: string, ids: readonly string[]): Promise<{ traceId: string; size: number }[]> {
      if (ids.length === 0) return Promise.resolve([])
      return db.read
        .selectFrom('trace_bodies')
        .select(['trace_id as traceId', sql<number>`length(body)`.as('size')])
        .where('project_id', '=', projectId)
        .where('trace_id', 'in', ids)
        .execute()
    },

    /** Deletes those that are there, with all that hangs on them; answers how many. */
    delete: (projectId: string, ids: readonly string[]) => deleteTraces(db, projectId, ids),

    /** Computes costs again that did not come from the client. */
    reprice: (projectId: string, ids: readonly string[], pricing: Pricing) =>
      repriceTraces(db, projectId, ids, pricing),

    /** Those of the traces that are there, in no order. */
    load: (projectId: string, ids: readonly string[]) => load(db.read, projectId, ids),

    /** The same for megabytes of them: a step of a scan. */
    loadLarge: (projectId: string, ids: readonly string[]) => load(db.scans, projectId, ids),
  }
}
