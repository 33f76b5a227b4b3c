import type { TraceStatus } from '@cairn/contract'
import type { SelectQueryBuilder } from 'kysely'
import type { Db, Tables } from '../../db/index.ts'
import { storableOrNull } from '../../lib/storable.ts'
import { encodeRecord, type TraceRecord } from './record.ts'

/** A trace on its way into the database. */
export interface NewTrace {
  projectId: string
  record: TraceRecord
  body: Buffer
}

/** Bounds are epoch milliseconds, start inclusive, end exclusive. */
export interface TraceConditions {
  status?: TraceStatus | undefined
  startMs?: number | undefined
  endMs?: number | undefined
}

/** The place of a trace in the list, newest first. */
export interface TracePosition {
  createdMs: number
  traceId: string
}

export interface StoredTrace {
  trace_id: string
  created_at: number
  body: Uint8Array
}

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
] as const

function toFacts({ projectId, record }: NewTrace) {
  return [
    projectId,
    record.trace_id,
    Date.parse(record.created_at),
    record.status,
    storableOrNull(record.model),
    storableOrNull(record.version),
    storableOrNull(record.session_id),
    storableOrNull(record.user_id),
    storableOrNull(record.environment),
    record.latency_ms,
    record.cost,
  ]
}

type TraceQuery<O> = SelectQueryBuilder<Tables, 'traces', O>

/** Narrows a query over `traces` to one project and the shared filters. */
export function whereTraces<O>(
  query: TraceQuery<O>,
  projectId: string,
  conditions: TraceConditions,
): TraceQuery<O> {
  const { status, startMs, endMs } = conditions
  let narrowed = query.where('traces.project_id', '=', projectId)
  if (status !== undefined) narrowed = narrowed.where('traces.status', '=', status)
  if (startMs !== undefined) narrowed = narrowed.where('traces.created_at', '>=', startMs)
  if (endMs !== undefined) narrowed = narrowed.where('traces.created_at', '<', endMs)
  return narrowed
}

export type TraceStore = ReturnType<typeof createTraceStore>

export function createTraceStore(db: Db) {
  return {
    prepare(projectId: string, record: TraceRecord): NewTrace {
      return { projectId, record, body: encodeRecord(record) }
    },

    /** All of them in one transaction, durable when it resolves. */
    insert(traces: readonly NewTrace[]): Promise<void> {
      return db.insertAll([
        { table: 'traces', columns: factColumns, rows: traces.map(toFacts) },
        {
          table: 'trace_bodies',
          columns: ['project_id', 'trace_id', 'body'],
          rows: traces.map(({ projectId, record, body }) => [projectId, record.trace_id, body]),
        },
      ])
    },

    /** Newest first; `after` is the last trace of the page before. */
    list(
      projectId: string,
      conditions: TraceConditions,
      page: { limit: number; after: TracePosition | undefined },
    ): Promise<StoredTrace[]> {
      const { limit, after } = page
      let query = whereTraces(db.read.selectFrom('traces'), projectId, conditions)
      if (after) {
        query = query.where((eb) =>
          eb(
            eb.refTuple('traces.created_at', 'traces.trace_id'),
            '<',
            eb.tuple(after.createdMs, after.traceId),
          ),
        )
      }
      return query
        .innerJoin('trace_bodies', (join) =>
          join
            .onRef('trace_bodies.project_id', '=', 'traces.project_id')
            .onRef('trace_bodies.trace_id', '=', 'traces.trace_id'),
        )
        .select(['traces.trace_id', 'traces.created_at', 'trace_bodies.body'])
        .orderBy('traces.created_at', 'desc')
        .orderBy('traces.trace_id', 'desc')
        .limit(limit)
        .execute()
    },

    async findBody(projectId: string, traceId: string): Promise<Uint8Array | undefined> {
      const row = await db.read
        .selectFrom('trace_bodies')
        .select('body')
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .executeTakeFirst()
      return row?.body
    },
  }
}
