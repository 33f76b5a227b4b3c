import { type SqlBool, sql } from 'kysely'
import {
  type Db,
  jsonArrayFrom,
  parseJsonArray,
  percentileCont,
  type Tables,
  unindexed,
} from '../../db/index.ts'
import type { Position } from '../../lib/cursor.ts'
import { leastValue, lnGamma, zeroBin } from '../../lib/sketch.ts'
import { type Sums, sumNames } from '../rollups/index.ts'
import {
  type LabelGroups,
  type StoredTrace,
  selectTraces,
  storedColumns,
  type TraceConditions,
} from '../traces/index.ts'
import { traceOfScore } from './store-scores.ts'

/** Rows that one step of an export reads from the database. */
const exportStep = 64

export type GroupColumn = 'model' | 'version' | 'environment' | 'status' | 'user_id'

export interface Grouping {
  /** Sums for each value of a column; otherwise `value` is null. */
  column?: GroupColumn | undefined
  /** Sums for each of these values; a trace with two of them counts in both. */
  label?: LabelGroups | undefined
  /** Sums for each interval of this width; otherwise `bucket` is 0. */
  widthMs?: number | undefined
  /** Sums for each bin of the latency sketch (`lib/sketch.ts`); otherwise `bin` is null. */
  bins: boolean
}

export interface SumRow extends Sums {
  value: string | null
  bucket: number
  /** Also null for traces without a latency. */
  bin: number | null
}

export interface ExportRow extends StoredTrace {
  scores: Omit<Tables['scores'], 'project_id' | 'trace_id'>[]
}

export interface ScoreSumsSlice {
  startMs: number
  endMs: number
  name?: string | undefined
  after?: Position | undefined
  upTo?: Position | undefined
  /** Sums for each interval of this width. */
  widthMs: number
  /** Conditions on the trace of a score. */
  ofTraces?: TraceConditions | undefined
}

/** Sums of scores of one name, interval and bin. */
export interface ScoreSumRow {
  name: string
  bucket: number
  count: number
  sum: number
  min: number
  max: number
  bin: number
}

/** The start of the interval; `%` keeps the sign of a time before 1970. */
function bucketOf(column: string, widthMs: number | undefined) {
  if (widthMs === undefined) return sql<number>`0`
  const width = sql.lit(widthMs)
  return sql<number>`${sql.ref(column)} - ((${sql.ref(column)} % ${width} + ${width}) % ${width})`
}

const binOfLatency = sql<
  number | null
>`case when traces.latency_ms < ${sql.lit(leastValue)} then ${sql.lit(zeroBin)}
  else ceil(ln(case when traces.latency_ms < ${sql.lit(leastValue)} then null else traces.latency_ms end) / ${sql.lit(lnGamma)}) end`

/** Bins of a tenth between 0 and 1; the last bin includes 1. */
const binOfScore = sql<number>`case ${sql.join(
  [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map(
    (end, bin) => sql`when scores.value < ${sql.lit(end)} then ${sql.lit(bin)}`,
  ),
  sql` `,
)} else 9 end`

function groupOf({ column, label }: Grouping) {
  if (label) return sql<string | null>`driver.value`
  return column ? sql<string | null>`${sql.ref(`traces.${column}`)}` : sql<string | null>`null`
}

function toSums(row: Record<keyof Sums, number | null>): Sums {
  return Object.fromEntries(sumNames.map((name) => [name, row[name] ?? 0])) as unknown as Sums
}

export type AnalyticsStore = ReturnType<typeof createAnalyticsStore>

export function createAnalyticsStore(db: Db) {
  return {
    /**
     * Computes sums from the traces, not from rollups. The duration grows with the number of traces, so many traces are
     * read in slices of a scan.
     */
    async sums(
      projectId: string,
      conditions: TraceConditions,
      grouping: Grouping,
      isScan: boolean,
    ): Promise<SumRow[]> {
      const from = { read: isScan ? db.scans : db.read, dialect: db.dialect }
      const { query } = selectTraces(from, projectId, conditions, grouping.label)
      const rows = await query
        .select((eb) => [
          groupOf(grouping).as('value'),
          bucketOf('traces.created_at', grouping.widthMs).as('bucket'),
          (grouping.bins ? binOfLatency : sql<number | null>`null`).as('bin'),
          eb.fn.countAll<number>().as('traces'),
          sql<number>`sum(case when traces.status = 'error' then 1 else 0 end)`.as('errors'),
          eb.fn.count<number>('traces.latency_ms').as('latencies'),
          eb.fn.sum<number | null>('traces.latency_ms').as('latency_sum'),
          eb.fn.count<number>('traces.cost').as('costs'),
          eb.fn.sum<number | null>('traces.cost').as('cost_sum'),
          eb.fn.sum<number | null>('traces.llm_cost').as('llm_cost'),
          eb.fn.sum<number | null>('traces.embedding_cost').as('embedding_cost'),
          eb.fn.sum<number | null>('traces.reranking_cost').as('reranking_cost'),
          eb.fn.sum<number | null>('traces.prompt_tokens').as('prompt_tokens'),
          eb.fn.sum<number | null>('traces.completion_tokens').as('completion_tokens'),
          eb.fn.sum<number | null>('traces.total_tokens').as('total_tokens'),
        ])
        .groupBy(sql`1, 2, 3`)
        .execute()
      return rows.map(({ value, bucket, bin, ...sums }) => ({ value, bucket, bin, ...toSums(sums) }))
    },

    /** The latencies of the traces in one slice of a scan, in milliseconds, unordered. */
    async latencies(projectId: string, conditions: TraceConditions): Promise<number[]> {
      const from = { read: db.scans, dialect: db.dialect }
      const rows = await selectTraces(from, projectId, conditions)
        .query.select('traces.latency_ms')
        .where('traces.latency_ms', 'is not', null)
        .execute()
      return rows.map(({ latency_ms }) => latency_ms ?? 0)
    },

    /** Three percentiles of the latencies in milliseconds, as `percentile_cont` of SQL; 0 without latencies. */
    async percentiles(
      projectId: string,
      conditions: TraceConditions,
      [a = 0, b = 0, c = 0]: readonly number[],
    ): Promise<number[]> {
      const { query } = selectTraces(db, projectId, conditions)
      const row = await query
        .select(({ ref }) => {
          const at = (share: number) => percentileCont(db.dialect, ref('traces.latency_ms'), share)
          return [at(a).as('a'), at(b).as('b'), at(c).as('c')]
        })
        .where('traces.latency_ms', 'is not', null)
        .executeTakeFirstOrThrow()
      return [row.a ?? 0, row.b ?? 0, row.c ?? 0]
    },

    /** When the oldest and the newest trace of a project were created; undefined without traces. */
    async bounds(projectId: string): Promise<{ oldest: number; newest: number } | undefined> {
      const at = (direction: 'asc' | 'desc') =>
        db.read
          .selectFrom('traces')
          .select('created_at')
          .where('project_id', '=', projectId)
          .orderBy('created_at', direction)
          .limit(1)
      const row = await db.read
        .selectNoFrom([at('asc').as('oldest'), at('desc').as('newest')])
        .executeTakeFirstOrThrow()
      return row.oldest === null || row.newest === null
        ? undefined
        : { oldest: row.oldest, newest: row.newest }
    },

    /**
     * The first values of a label, in order. Each value is one index lookup (a loose index scan), so a value with many
     * traces costs no more than others.
     */
    async labelValues(projectId: string, name: string, limit: number): Promise<string[]> {
      const values: string[] = []
      for (let last: string | undefined; values.length < limit; ) {
        let query = db.read
          .selectFrom('trace_labels')
          .select('value')
          .where('project_id', '=', projectId)
          .where('name', '=', name)
          .orderBy('value')
          .limit(1)
        if (last !== undefined) query = query.where('value', '>', last)
        const next = await query.executeTakeFirst()
        if (!next) break
        values.push(next.value)
        last = next.value
      }
      return values
    },

    /** Sums of scores by name and interval, for a slice of a period. */
    scoreSums(
      projectId: string,
      { startMs, endMs, name, after, upTo, widthMs, ofTraces }: ScoreSumsSlice,
    ): Promise<ScoreSumRow[]> {
      const place = sql`(scores.created_at, scores.score_id)`
      let query = db.scans
        .selectFrom('scores')
        .where('scores.project_id', '=', projectId)
        .where('scores.created_at', '>=', startMs)
        .where('scores.created_at', '<', endMs)
      if (name !== undefined) query = query.where('scores.name', '=', name)
      if (after) query = query.where(sql<SqlBool>`${place} < (${after.ms}, ${after.id})`)
      if (upTo) query = query.where(sql<SqlBool>`${place} >= (${upTo.ms}, ${upTo.id})`)
      if (ofTraces) query = query.where(({ exists }) => exists(traceOfScore(db, projectId, ofTraces)))
      return query
        .select((eb) => [
          'scores.name',
          bucketOf('scores.created_at', widthMs).as('bucket'),
          eb.fn.countAll<number>().as('count'),
          eb.fn.sum<number>('scores.value').as('sum'),
          eb.fn.min<number>('scores.value').as('min'),
          eb.fn.max<number>('scores.value').as('max'),
          binOfScore.as('bin'),
        ])
        .groupBy(sql`1, 2, 7`)
        .execute()
    },

    /** Reads traces with their scores, newest first, from one snapshot, 64 rows at a time, in constant memory. */
    async *exportRows(projectId: string, conditions: TraceConditions): AsyncGenerator<ExportRow[]> {
      const { query, createdAt, traceId } = selectTraces(
        { read: db.streams, dialect: db.dialect },
        projectId,
        conditions,
      )
      const rows = query
        .innerJoin('trace_bodies', (join) =>
          join
            .onRef('trace_bodies.project_id', '=', 'traces.project_id')
            .onRef('trace_bodies.trace_id', '=', 'traces.trace_id'),
        )
        .select((eb) => [
          ...storedColumns,
          jsonArrayFrom(
            db.dialect,
            eb
              .selectFrom('scores')
              .select([
                'score_id',
                'name',
                'value',
                'comment',
                'scores.created_at',
                'scores.cost',
                'source',
                'source_id',
                'scorer',
                'method',
                'scores.model',
              ])
              .whereRef('scores.project_id', '=', 'traces.project_id')
              .whereRef('scores.trace_id', '=', 'traces.trace_id')
              .orderBy(unindexed('scores.created_at'), 'desc')
              .orderBy('score_id', 'desc'),
          ).as('scores'),
        ])
        .orderBy(createdAt as 'traces.created_at', 'desc')
        .orderBy(traceId as 'traces.trace_id', 'desc')
        .compile()
      // `stream()` would return single rows, each with its own wait.
      for await (const step of db.streams.getExecutor().stream(rows, exportStep)) {
        yield step.rows.map(
          (row) => ({ ...(row as StoredTrace), scores: parseJsonArray(row.scores) }) as ExportRow,
        )
      }
    },
  }
}
