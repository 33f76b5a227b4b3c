import type { TraceStatus } from '@cairn/contract'
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { bodyContains, type Db, perRow, type Tables } from '../../../db/index.ts'
import type { Label } from '../labels.ts'

/** The position of a trace in the list by time. */
export interface TracePosition {
  createdMs: number
  traceId: string
}

/** Times are epoch milliseconds, start inclusive, end exclusive. Other bounds are inclusive. */
export interface TraceConditions {
  /** Only traces after this position of the list. */
  after?: TracePosition | undefined
  /** Only traces up to and including this position of the list. */
  upTo?: TracePosition | undefined
  /** The list is oldest first, which `after` and `upTo` follow. */
  oldestFirst?: true | undefined
  /** Without duplicates, at least one. */
  ids?: readonly string[] | undefined
  startMs?: number | undefined
  endMs?: number | undefined
  status?: TraceStatus | undefined
  model?: string | undefined
  version?: string | undefined
  environment?: string | undefined
  sessionId?: string | undefined
  userId?: string | undefined
  /** A trace must have all of them. */
  labels?: readonly Label[] | undefined
  minLatencyMs?: number | undefined
  maxLatencyMs?: number | undefined
  minCost?: number | undefined
  maxCost?: number | undefined
  scores?: readonly ScoreCondition[] | undefined
  /** A text that input or output contains; folded by `foldCase`. */
  text?: string | undefined
}

/** A trace matches if one of its scores has this name and a value that satisfies the comparison. */
export interface ScoreCondition {
  name: string
  comparison: '=' | '>=' | '<=' | '>' | '<'
  value: number
}

export type TraceQuery<O> = SelectQueryBuilder<Tables, 'traces', O>

const equalities = [
  ['status', 'status'],
  ['model', 'model'],
  ['version', 'version'],
  ['environment', 'environment'],
  ['session_id', 'sessionId'],
  ['user_id', 'userId'],
] as const

const comparisons = [
  ['created_at', '>=', 'startMs'],
  ['created_at', '<', 'endMs'],
  ['latency_ms', '>=', 'minLatencyMs'],
  ['latency_ms', '<=', 'maxLatencyMs'],
  ['cost', '>=', 'minCost'],
  ['cost', '<=', 'maxCost'],
] as const

/** Groups traces by values of a label. A query returns a trace once for each of its values, with `driver.value`. */
export interface LabelGroups {
  name: string
  values: readonly string[]
}

/**
 * A query for the traces of a project that match the conditions. The ids, or the rows of the first label, drive the query.
 * Rows of labels are ordered by time too, so traces with a rare tag are found without a scan. `createdAt` and `traceId` are
 * the columns to sort and page by.
 */
export interface TraceSource {
  query: TraceQuery<object>
  createdAt: 'traces.created_at' | 'driver.created_at'
  traceId: 'traces.trace_id' | 'driver.trace_id'
}

export function selectTraces(
  { read, dialect }: Pick<Db, 'read' | 'dialect'>,
  projectId: string,
  conditions: TraceConditions,
  grouped?: LabelGroups,
): TraceSource {
  if (conditions.ids && !grouped) {
    const chosen = driveByIds(read, conditions.ids)
    const query = narrow(
      dialect,
      chosen,
      projectId,
      { ...conditions, ids: undefined },
      (subquery) => subquery,
    )
    return within({ query, createdAt: 'traces.created_at', traceId: 'traces.trace_id' }, conditions)
  }
  const [first, ...rest] = conditions.labels ?? []
  const driver = grouped ?? (first && { name: first.name, values: [first.value] })
  if (!driver) {
    const query = whereTraces(dialect, read.selectFrom('traces'), projectId, conditions)
    return within({ query, createdAt: 'traces.created_at', traceId: 'traces.trace_id' }, conditions)
  }
  const driven = driveByLabel(read, projectId, driver, conditions)
  const labels = grouped ? conditions.labels : rest
  const query = narrow(dialect, driven, projectId, { ...conditions, labels }, (subquery) => subquery)
  return within({ query, createdAt: 'driver.created_at', traceId: 'driver.trace_id' }, conditions)
}

/** Adds the conditions `after` and `upTo` on the sort columns. */
function within(source: TraceSource, { after, upTo, oldestFirst }: TraceConditions): TraceSource {
  const { createdAt, traceId } = source
  const place = sql`(${sql.ref(createdAt)}, ${sql.ref(traceId)})`
  const [beyond, until] = oldestFirst ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`]
  let { query } = source
  if (after) query = query.where(sql<SqlBool>`${place} ${beyond} (${after.createdMs}, ${after.traceId})`)
  if (upTo) query = query.where(sql<SqlBool>`${place} ${until} (${upTo.createdMs}, ${upTo.traceId})`)
  return { ...source, query }
}

/** A cross join, because with a list SQLite walks all rows of the project in order of time. */
function driveByIds(read: Db['read'], ids: readonly string[]): TraceQuery<object> {
  const values = sql.join(ids.map((id) => sql`(${id})`))
  return read
    .selectFrom(sql<{ column1: string }>`(values ${values})`.as('chosen'))
    .crossJoin('traces')
    .whereRef('traces.trace_id', '=', 'chosen.column1') as unknown as TraceQuery<object>
}

/** A cross join, because SQLite then keeps the order of the tables. PostgreSQL chooses its own order. */
function driveByLabel(
  read: Db['read'],
  projectId: string,
  { name, values }: LabelGroups,
  { startMs, endMs }: TraceConditions,
): TraceQuery<object> {
  let query = read
    .selectFrom('trace_labels as driver')
    .crossJoin('traces')
    .where('driver.project_id', '=', projectId)
    .where('driver.name', '=', name)
    .where('driver.value', 'in', values)
    .whereRef('traces.project_id', '=', 'driver.project_id')
    .whereRef('traces.trace_id', '=', 'driver.trace_id')
  if (startMs !== undefined) query = query.where('driver.created_at', '>=', startMs)
  if (endMs !== undefined) query = query.where('driver.created_at', '<', endMs)
  return query as unknown as TraceQuery<object>
}

/**
 * Adds the project and the filters to a query over only `traces`. With a text search, PostgreSQL runs subqueries per row
 * instead of as joins. So it checks the cheap conditions first, and reads only the texts of the remaining traces.
 */
export function whereTraces<O>(
  dialect: Db['dialect'],
  query: TraceQuery<O>,
  projectId: string,
  conditions: TraceConditions,
): TraceQuery<O> {
  const kept: Keep = conditions.text === undefined ? (subquery) => subquery : perRow
  return narrow(dialect, query, projectId, conditions, kept)
}

/** A wrapper of a subquery in EXISTS: `perRow`, or none. */
type Keep = typeof perRow

function narrow<O>(
  dialect: Db['dialect'],
  query: TraceQuery<O>,
  projectId: string,
  conditions: TraceConditions,
  keep: Keep,
): TraceQuery<O> {
  let narrowed = query.where('traces.project_id', '=', projectId)
  if (conditions.ids) narrowed = narrowed.where('traces.trace_id', 'in', conditions.ids)
  for (const [column, field] of equalities) {
    const value = conditions[field]
    if (value !== undefined) narrowed = narrowed.where(`traces.${column}`, '=', value)
  }
  for (const [column, comparison, field] of comparisons) {
    const value = conditions[field]
    if (value !== undefined) narrowed = narrowed.where(`traces.${column}`, comparison, value)
  }
  for (const label of conditions.labels ?? []) narrowed = whereLabel(narrowed, label, keep)
  for (const score of conditions.scores ?? []) narrowed = whereScore(narrowed, score, keep)
  return conditions.text === undefined ? narrowed : whereText(dialect, narrowed, conditions.text, keep)
}

function whereLabel<O>(query: TraceQuery<O>, { name, value }: Label, keep: Keep): TraceQuery<O> {
  return query.where((eb) =>
    eb.exists(
      keep(
        eb
          .selectFrom('trace_labels')
          .select('trace_labels.trace_id')
          .whereRef('trace_labels.project_id', '=', 'traces.project_id')
          .where('trace_labels.name', '=', name)
          .where('trace_labels.value', '=', value)
          .whereRef('trace_labels.created_at', '=', 'traces.created_at')
          .whereRef('trace_labels.trace_id', '=', 'traces.trace_id'),
      ),
    ),
  )
}

function whereScore<O>(
  query: TraceQuery<O>,
  { name, comparison, value }: ScoreCondition,
  keep: Keep,
): TraceQuery<O> {
  return query.where((eb) =>
    eb.exists(
      keep(
        eb
          .selectFrom('scores')
          .select('scores.score_id')
          .whereRef('scores.project_id', '=', 'traces.project_id')
          .whereRef('scores.trace_id', '=', 'traces.trace_id')
          .where('scores.name', '=', name)
          .where('scores.value', comparison, value),
      ),
    ),
  )
}

function whereText<O>(dialect: Db['dialect'], query: TraceQuery<O>, text: string, keep: Keep): TraceQuery<O> {
  return query.where((eb) =>
    eb.exists(
      keep(
        eb
          .selectFrom('trace_bodies as searched')
          .select('searched.trace_id')
          .whereRef('searched.project_id', '=', 'traces.project_id')
          .whereRef('searched.trace_id', '=', 'traces.trace_id')
          .where(({ ref }) => bodyContains(dialect, ref('searched.body'), text)),
      ),
    ),
  )
}
