import type { StoredScore } from '@cairn/contract'
import { jsonArrayFrom, parseJsonArray } from '../../db/dialect.ts'
import type { Db } from '../../db/index.ts'
import { type TraceConditions, whereTraces } from '../traces/index.ts'

/** Rows that travel from the database in one step of an export. */
const exportStep = 64

export interface MetricsRow {
  total: number
  successful: number
  avgLatencyMs: number
  totalCost: number
}

export interface ExportRow {
  body: Uint8Array
  scores: (Omit<StoredScore, 'created_at'> & { created_at: number })[]
}

export type AnalyticsStore = ReturnType<typeof createAnalyticsStore>

export function createAnalyticsStore(db: Db) {
  return {
    async metrics(projectId: string, conditions: TraceConditions): Promise<MetricsRow> {
      const row = await whereTraces(db.read.selectFrom('traces'), projectId, conditions)
        .select((eb) => [
          eb.fn.countAll<number>().as('total'),
          eb.fn.count<number>('trace_id').filterWhere('status', '=', 'success').as('successful'),
          eb.fn.avg<number | null>('latency_ms').as('avgLatencyMs'),
          eb.fn.sum<number | null>('cost').as('totalCost'),
        ])
        .executeTakeFirstOrThrow()
      return { ...row, avgLatencyMs: row.avgLatencyMs ?? 0, totalCost: row.totalCost ?? 0 }
    },

    /** Newest first, out of one snapshot; memory does not grow with the number of traces. */
    async *exportRows(projectId: string, conditions: TraceConditions): AsyncGenerator<ExportRow> {
      const rows = whereTraces(db.streams.selectFrom('traces'), projectId, conditions)
        .innerJoin('trace_bodies', (join) =>
          join
            .onRef('trace_bodies.project_id', '=', 'traces.project_id')
            .onRef('trace_bodies.trace_id', '=', 'traces.trace_id'),
        )
        .select((eb) => [
          'trace_bodies.body',
          jsonArrayFrom(
            db.dialect,
            eb
              .selectFrom('scores')
              .select(['name', 'value', 'comment', 'scores.created_at'])
              .whereRef('scores.project_id', '=', 'traces.project_id')
              .whereRef('scores.trace_id', '=', 'traces.trace_id')
              .orderBy('scores.created_at', 'desc')
              .orderBy('score_id', 'desc'),
          ).as('scores'),
        ])
        .orderBy('traces.created_at', 'desc')
        .orderBy('traces.trace_id', 'desc')
        .stream(exportStep)
      for await (const row of rows) yield { body: row.body, scores: parseJsonArray(row.scores) }
    },
  }
}
