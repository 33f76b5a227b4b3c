import { type Db, insertRows, type RowInsert, type Trx } from '../../../db/index.ts'
import { Increments, removeEmptyRollups, rollupUpsert } from '../../rollups/index.ts'
import { factsOf, type NewTrace } from '../facts.ts'
import { deleteLabels, lock, type ReadTrace, readFew, storedCost, TraceChangedError } from './changes.ts'
import { factColumns, toFactRow, traceInserts } from './rows.ts'

/** The traces of a project that a transaction writes anew, and their stored form; new traces have none. */
export interface Replacement {
  traces: readonly NewTrace[]
  stored: readonly ReadTrace[]
}

/** The stored form of the existing traces, for `replaceTraces`. */
export function readStoredTraces(db: Db, projectId: string, ids: readonly string[]): Promise<ReadTrace[]> {
  return ids.length === 0 ? Promise.resolve([]) : readFew(db, projectId, ids)
}

/** The rows of traces that do not exist, with their rollups. The insert fails as a duplicate if one of them exists. */
export function newTraceInserts(dialect: Db['dialect'], traces: readonly NewTrace[]): RowInsert[] {
  return [...traceInserts(traces), rollupUpsert(dialect, Increments.of(traces))]
}

/**
 * Writes traces in the transaction of the caller. Stored traces keep their id and scores; labels and rollups are corrected.
 * A trace that did not exist fails as a duplicate if it exists now.
 * @throws TraceChangedError if a stored trace has changed since it was read
 */
export async function replaceTraces(
  trx: Trx,
  dialect: Db['dialect'],
  projectId: string,
  { traces, stored }: Replacement,
): Promise<void> {
  const locked = stored.length === 0 ? [] : await lock(trx, dialect, projectId, stored)
  if (locked.length !== stored.length) throw new TraceChangedError()
  const known = new Set(stored.map(({ traceId }) => traceId))
  const increments = new Increments()
  for (const { row, record } of locked) {
    increments.addTrace(factsOf(projectId, record, storedCost(row)), -1)
  }
  for (const { facts } of traces) increments.addTrace(facts)
  if (locked.length > 0) await deleteLabels(trx, projectId, locked)
  for (const trace of traces) if (known.has(trace.traceId)) await update(trx, projectId, trace)
  const [factRows, bodies, labels] = traceInserts(traces)
  const isNew = (row: readonly unknown[]) => !known.has(row[1] as string)
  for (const insert of [factRows, bodies]) {
    if (insert) await insertRows(trx, { ...insert, rows: insert.rows.filter(isNew) })
  }
  if (labels) await insertRows(trx, labels)
  const upsert = rollupUpsert(dialect, increments)
  await insertRows(trx, upsert)
  if (locked.length > 0) await removeEmptyRollups(trx, upsert)
}

async function update(trx: Trx, projectId: string, trace: NewTrace): Promise<void> {
  const values = toFactRow(trace)
  const facts = Object.fromEntries(factColumns.map((column, at) => [column, values[at]]))
  await trx
    .updateTable('traces')
    .set((eb) => ({ ...facts, revision: eb('revision', '+', 1) }))
    .where('project_id', '=', projectId)
    .where('trace_id', '=', trace.traceId)
    .execute()
  await trx
    .updateTable('trace_bodies')
    .set({ body: trace.body })
    .where('project_id', '=', projectId)
    .where('trace_id', '=', trace.traceId)
    .execute()
}
