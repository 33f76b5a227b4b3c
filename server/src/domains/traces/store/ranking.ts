import { type SqlBool, sql } from 'kysely'
import type { TracePosition, TraceSource } from './conditions.ts'

/** An order of traces by a value. Traces without the value are last; equal traces are newest first. */
export interface Ranking {
  by: 'latency' | 'cost' | 'tokens'
  order: 'asc' | 'desc'
}

/** The position of a trace in a ranking. `value` is null without a value. */
export interface RankedPosition extends TracePosition {
  value: number | null
}

export interface RankedPage {
  ranking: Ranking
  limit: number
  /** The position of the last trace of the previous page. */
  after: RankedPosition | undefined
  /** Only traces with a value before this one, because a whole page up to this position is known. */
  least?: RankedPosition | undefined
}

const columns = { latency: 'traces.latency_ms', cost: 'traces.cost', tokens: 'traces.total_tokens' } as const

/** Stands for a missing value: beyond every stored value, so that the trace is last. */
const missing = { desc: -1e300, asc: 1e300 } as const

function comparable({ value }: RankedPosition, { order }: Ranking): number {
  return value ?? missing[order]
}

/** Compares the values of positions; 0 for equal values. */
export function compareIn(ranking: Ranking): (a: RankedPosition, b: RankedPosition) => number {
  const sign = ranking.order === 'desc' ? -1 : 1
  return (a, b) => sign * (comparable(a, ranking) - comparable(b, ranking))
}

/** The positions of a page of the ranking among the traces of the source. */
export function selectRanked(
  { query, createdAt, traceId }: TraceSource,
  { ranking, limit, after, least }: RankedPage,
) {
  const [before, behind] = ranking.order === 'desc' ? [sql`>`, sql`<`] : [sql`<`, sql`>`]
  const column = sql<number | null>`${sql.ref(columns[ranking.by])}`
  const value = sql<number>`coalesce(${column}, ${sql.lit(missing[ranking.order])})`
  let ranked = query
  if (least) ranked = ranked.where(sql<SqlBool>`${value} ${before} ${comparable(least, ranking)}`)
  if (after) {
    const last = comparable(after, ranking)
    const place = sql`(${sql.ref(createdAt)}, ${sql.ref(traceId)})`
    const isOlder = sql`${place} < (${after.createdMs}, ${after.traceId})`
    ranked = ranked.where(sql<SqlBool>`(${value} ${behind} ${last} or (${value} = ${last} and ${isOlder}))`)
  }
  return ranked
    .select(['traces.trace_id as traceId', 'traces.created_at as createdMs', column.as('value')])
    .orderBy(value, ranking.order)
    .orderBy(createdAt as 'traces.created_at', 'desc')
    .orderBy(traceId as 'traces.trace_id', 'desc')
    .limit(limit)
}
