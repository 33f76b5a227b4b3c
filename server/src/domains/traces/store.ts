import { type CompiledQuery, sql } from 'kysely'
import { type Db, outcomeOf, type RowInsert } from '../../db/index.ts'
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
  type OnDelete,
  type RankedPage,
  type RankedPosition,
  repriceTraces,
  selectRanked,
  selectTraces,
  type TraceConditions,
  type TracePosition,
  tagTraces,
  traceInserts,
  whereTraces,
} from './store/index.ts'
import type { TagChange } from './tags.ts'

/** A trace as stored. A computed cost is only in the columns, not in the body. */
export interface StoredTrace {
  trace_id: string
  created_at: number
  cost: number | null
  cost_source: CostSource
  body: Uint8Array
}

/** The columns of `StoredTrace`. */
export const storedColumns = [
  'traces.trace_id',
  'traces.created_at',
  'traces.cost',
  'traces.cost_source',
  'trace_bodies.body',
] as const

/** Additional rows that a transaction of traces writes, and statements that run after the inserts. */
export interface StepRows {
  inserts?: readonly RowInsert[]
  after?: readonly CompiledQuery[]
}

/**
 * The reason why nothing was written. `no_project`: a project of the traces is deleted. `taken`: a trace or an
 * Idempotency-Key exists. `import_conflict`: another run has advanced the import of the file.
 */
export type WriteRejection = 'no_project' | 'taken' | 'import_conflict'

interface InsertOptions {
  charges?: readonly Charge[]
  /** Statements that run last. */
  after?: readonly CompiledQuery[]
  /** The rollup increments of the traces, if the caller has computed them. */
  increments?: Increments
  /** False if a durable write follows, which makes this one durable, too. */
  durable?: boolean
}

export interface TracePage {
  limit: number
  /** The position of the last trace of the previous page. */
  after: TracePosition | undefined
}

export type TraceStore = ReturnType<typeof createTraceStore>

/** `onDelete` runs in each transaction that deletes traces. */
export function createTraceStore(db: Db, { onDelete }: { onDelete?: OnDelete } = {}) {
  function inOrder(read: Db['read'], projectId: string, conditions: TraceConditions) {
    const { query, createdAt, traceId } = selectTraces({ read, dialect: db.dialect }, projectId, conditions)
    const direction = conditions.oldestFirst ? 'asc' : 'desc'
    return query
      .select(['traces.trace_id as traceId', 'traces.created_at as createdMs'])
      .orderBy(createdAt as 'traces.created_at', direction)
      .orderBy(traceId as 'traces.trace_id', direction)
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
     * Writes traces, rollups, `charges` and the rows in `others` in one transaction. With `durable`, the transaction is on
     * disk when this resolves.
     */
    insert(
      traces: readonly NewTrace[],
      others: readonly RowInsert[] = [],
      { charges = [], after = [], increments = Increments.of(traces), durable = true }: InsertOptions = {},
    ): Promise<'inserted' | WriteRejection> {
      const ofCharges = chargeStatements(db, charges)
      const write = async (): Promise<'inserted'> => {
        await db.insertAll(
          [...traceInserts(traces), ...others, rollupUpsert(db.dialect, increments), ...ofCharges.inserts],
          [...ofCharges.after, ...after],
          { durable },
        )
        return 'inserted'
      }
      return outcomeOf(write, { missing: 'no_project', duplicate: 'taken', aborted: 'import_conflict' })
    },

    /** Whether the project exists and is not in deletion. */
    hasProject: (projectId: string): Promise<boolean> => hasProject(db.read, projectId),

    /** The ids of existing traces. */
    existing(projectId: string, ids: readonly string[]): Promise<Set<string>> {
      return existingTraces(db, projectId, ids)
    },

    /** The positions of a page of traces that match the conditions. Needs an index for the conditions. */
    positions(
      projectId: string,
      conditions: TraceConditions,
      { limit, after }: TracePage,
    ): Promise<TracePosition[]> {
      return inOrder(db.read, projectId, { ...conditions, after })
        .limit(limit)
        .execute()
    },

    /** The same for conditions without an index: reads one slice of a scan. */
    scannedPositions(
      projectId: string,
      conditions: TraceConditions,
      limit: number,
    ): Promise<TracePosition[]> {
      return inOrder(db.scans, projectId, conditions).limit(limit).execute()
    },

    /** The first traces of a slice in a ranking. */
    ranked(projectId: string, conditions: TraceConditions, page: RankedPage): Promise<RankedPosition[]> {
      const source = selectTraces({ read: db.scans, dialect: db.dialect }, projectId, conditions)
      return selectRanked(source, page).execute()
    },

    /** The position of the last of `rows` traces; undefined if there are fewer. Needs an index for the conditions. */
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

    /** The given traces that match the conditions: one slice of a scan. */
    async matching(
      projectId: string,
      conditions: TraceConditions,
      ids: readonly string[],
    ): Promise<string[]> {
      if (ids.length === 0) return []
      const traces = db.scans.selectFrom('traces').select('traces.trace_id')
      const rows = await whereTraces(db.dialect, traces, projectId, conditions)
        .where('traces.trace_id', 'in', ids)
        .execute()
      return rows.map(({ trace_id }) => trace_id)
    },

    /** The sizes of the existing traces, in bytes. */
    sizes(projectId: string, ids: readonly string[]): Promise<{ traceId: string; size: number }[]> {
      if (ids.length === 0) return Promise.resolve([])
      return db.read
        .selectFrom('trace_bodies')
        .select(['trace_id as traceId', sql<number>`length(body)`.as('size')])
        .where('project_id', '=', projectId)
        .where('trace_id', 'in', ids)
        .execute()
    },

    /** Deletes the existing traces with their bodies, labels and scores; returns their number. */
    delete: (projectId: string, ids: readonly string[]) => deleteTraces(db, projectId, ids, onDelete),

    /** Computes again all costs that the client has not sent. */
    reprice: (projectId: string, ids: readonly string[], pricing: Pricing) =>
      repriceTraces(db, projectId, ids, pricing),

    /** Changes the tags of the existing traces. */
    tag: (projectId: string, ids: readonly string[], change: TagChange) =>
      tagTraces(db, projectId, ids, change),

    /** The existing traces, unordered. */
    load: (projectId: string, ids: readonly string[]) => load(db.read, projectId, ids),

    /** The same for megabytes of traces: one step of a scan. */
    loadLarge: (projectId: string, ids: readonly string[]) => load(db.scans, projectId, ids),
  }
}
