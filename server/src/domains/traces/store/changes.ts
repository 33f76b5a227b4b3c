import { sql } from 'kysely'
import { type Db, deleteByKeys, insertRows, lockRows, type Tables, type Trx } from '../../../db/index.ts'
import { createPacer } from '../../../lib/turns.ts'
import type { Pricing } from '../../prices/index.ts'
import { Increments, removeEmptyRollups, rollupUpsert, type TraceCost } from '../../rollups/index.ts'
import { costOf } from '../cost.ts'
import { factsOf } from '../facts.ts'
import { labelsOf } from '../labels.ts'
import { decodeInTurns, type TraceRecord } from '../record.ts'
import { parseEdits, type TagChange } from '../tags.ts'
import { toSteps } from '../write-cost.ts'
import { labelColumns } from './rows.ts'

/** A trace with its decoded record. The record of a revision is immutable. */
export interface ReadTrace {
  traceId: string
  revision: number
  record: TraceRecord
  /** Changes of the tags after the trace was received. */
  tagEdits: TagChange | undefined
  bytes: number
}

/** A trace with its locked row. */
export interface LockedTrace extends ReadTrace {
  row: Tables['traces']
}

/** Maximum bytes of bodies, and maximum traces, that are read and changed at once. */
const [stepBytes, stepTraces] = [1024 * 1024, 200]

/** Reads the existing traces in steps. */
export async function* readRecords(
  db: Db,
  projectId: string,
  ids: readonly string[],
): AsyncGenerator<readonly ReadTrace[]> {
  const sizes = await db.read
    .selectFrom('trace_bodies')
    .select(['trace_id', sql<number>`length(body)`.as('size')])
    .where('project_id', '=', projectId)
    .where('trace_id', 'in', ids)
    .execute()
  let few: string[] = []
  let bytes = 0
  for (const { trace_id, size } of sizes) {
    if (few.length === stepTraces || (few.length > 0 && bytes + size > stepBytes)) {
      yield await readFew(db, projectId, few)
      few = []
      bytes = 0
    }
    few.push(trace_id)
    bytes += size
  }
  if (few.length > 0) yield await readFew(db, projectId, few)
}

export async function readFew(db: Db, projectId: string, ids: readonly string[]): Promise<ReadTrace[]> {
  const bodies = await db.read
    .selectFrom('traces')
    .innerJoin('trace_bodies', (join) =>
      join
        .onRef('trace_bodies.project_id', '=', 'traces.project_id')
        .onRef('trace_bodies.trace_id', '=', 'traces.trace_id'),
    )
    .select(['traces.trace_id', 'traces.revision', 'traces.tag_edits', 'trace_bodies.body'])
    .where('traces.project_id', '=', projectId)
    .where('traces.trace_id', 'in', ids)
    .execute()
  const pace = createPacer()
  const read: ReadTrace[] = []
  for (const { trace_id, revision, tag_edits, body } of bodies) {
    read.push({
      traceId: trace_id,
      revision,
      record: await decodeInTurns(body),
      tagEdits: parseEdits(tag_edits),
      bytes: body.length,
    })
    await pace()
  }
  return read
}

/**
 * Locks the rows of the existing traces until the end of the transaction.
 * @throws TraceChangedError if a trace has another revision than the one that was read
 */
export async function lock(
  trx: Trx,
  dialect: Db['dialect'],
  projectId: string,
  traces: readonly ReadTrace[],
): Promise<LockedTrace[]> {
  const byId = new Map(traces.map((trace) => [trace.traceId, trace]))
  const query = trx
    .selectFrom('traces')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('trace_id', 'in', [...byId.keys()])
    .orderBy('trace_id')
  const rows = await lockRows(dialect, query).execute()
  return rows.flatMap((row) => {
    const trace = byId.get(row.trace_id)
    if (trace && trace.revision !== row.revision) throw new TraceChangedError()
    return trace ? [{ ...trace, row }] : []
  })
}

/** A trace was put together again between reading and locking it. Nothing was written; the caller reads it again. */
export class TraceChangedError extends Error {}

/** Runs a step again with traces that are read anew, until none of them changes in between. */
export async function withUnchanged<T>(
  db: Db,
  projectId: string,
  given: readonly ReadTrace[],
  step: (traces: readonly ReadTrace[]) => Promise<T>,
): Promise<T> {
  for (let traces = given; ; ) {
    try {
      return await step(traces)
    } catch (error) {
      if (!(error instanceof TraceChangedError)) throw error
      const ids = traces.map(({ traceId }) => traceId)
      traces = await readFew(db, projectId, ids)
    }
  }
}

export function storedCost(row: Tables['traces']): TraceCost | null {
  if (row.cost === null) return null
  const { cost: total, llm_cost: llm, embedding_cost: embedding, reranking_cost: reranking } = row
  return { total, llm: llm ?? total, embedding: embedding ?? 0, reranking: reranking ?? 0 }
}

export async function deleteLabels(
  trx: Trx,
  projectId: string,
  traces: readonly LockedTrace[],
): Promise<void> {
  const keys = traces.flatMap(({ row, record }) =>
    labelsOf(record).map(({ name, value }) => [projectId, name, value, row.created_at, row.trace_id]),
  )
  await deleteByKeys(trx, 'trace_labels', { columns: labelColumns, keys })
}

/** What another domain deletes in the transaction that deletes these traces. */
export type OnDelete = (trx: Trx, projectId: string, traceIds: readonly string[]) => Promise<void>

/**
 * Deletes the existing traces with their labels, rollups, bodies and scores, in short transactions. Returns the number of
 * deleted traces.
 */
export async function deleteTraces(
  db: Db,
  projectId: string,
  ids: readonly string[],
  onDelete?: OnDelete,
): Promise<number> {
  let deleted = 0
  if (ids.length === 0) return deleted
  for await (const traces of readRecords(db, projectId, ids)) {
    const costly = traces.map((trace) => ({
      ...trace,
      facts: factsOf(projectId, trace.record, null),
      labels: labelsOf(trace.record),
      body: { length: trace.bytes },
    }))
    for (const step of await toSteps(costly)) {
      deleted += await withUnchanged(db, projectId, step, (unchanged) =>
        deleteStep(db, projectId, unchanged, onDelete),
      )
    }
  }
  return deleted
}

function deleteStep(
  db: Db,
  projectId: string,
  given: readonly ReadTrace[],
  onDelete?: OnDelete,
): Promise<number> {
  return db.transaction(async (trx) => {
    const traces = await lock(trx, db.dialect, projectId, given)
    if (traces.length === 0) return 0
    const increments = new Increments()
    for (const { row, record } of traces) {
      increments.addTrace(factsOf(projectId, record, storedCost(row)), -1)
    }
    await deleteLabels(trx, projectId, traces)
    const deleted = traces.map(({ traceId }) => traceId)
    await trx
      .deleteFrom('traces')
      .where('project_id', '=', projectId)
      .where('trace_id', 'in', deleted)
      .execute()
    await onDelete?.(trx, projectId, deleted)
    const upsert = rollupUpsert(db.dialect, increments)
    await insertRows(trx, upsert)
    await removeEmptyRollups(trx, upsert)
    return traces.length
  })
}

/** The result of re-pricing. `before` and `after` are the total costs of all examined traces in USD. */
export interface Repriced {
  examined: number
  changed: number
  before: number
  after: number
}

/** Computes the costs of traces again, in short transactions. Costs from the client do not change. */
export async function repriceTraces(
  db: Db,
  projectId: string,
  ids: readonly string[],
  pricing: Pricing,
): Promise<Repriced> {
  const sum: Repriced = { examined: 0, changed: 0, before: 0, after: 0 }
  if (ids.length === 0) return sum
  for await (const traces of readRecords(db, projectId, ids)) {
    const step = await withUnchanged(db, projectId, traces, (unchanged) =>
      repriceStep(db, projectId, unchanged, pricing),
    )
    for (const name of ['examined', 'changed', 'before', 'after'] as const) sum[name] += step[name]
  }
  return sum
}

function repriceStep(
  db: Db,
  projectId: string,
  given: readonly ReadTrace[],
  pricing: Pricing,
): Promise<Repriced> {
  return db.transaction(async (trx) => {
    const traces = await lock(trx, db.dialect, projectId, given)
    const increments = new Increments()
    const result: Repriced = { examined: traces.length, changed: 0, before: 0, after: 0 }
    for (const { row, record } of traces) {
      const before = storedCost(row)
      const { cost, source } = costOf(record, row.created_at, pricing)
      result.before += before?.total ?? 0
      const isKept = row.cost_source === 'client' || before?.total === cost?.total
      result.after += (isKept ? before : cost)?.total ?? 0
      if (isKept) continue
      result.changed += 1
      increments.changeCost(factsOf(projectId, record, before), cost)
      await trx
        .updateTable('traces')
        .set({
          cost: cost?.total ?? null,
          cost_source: source,
          llm_cost: cost?.llm ?? null,
          embedding_cost: cost?.embedding ?? null,
          reranking_cost: cost?.reranking ?? null,
        })
        .where('project_id', '=', projectId)
        .where('trace_id', '=', row.trace_id)
        .execute()
    }
    await insertRows(trx, rollupUpsert(db.dialect, increments))
    return result
  })
}
