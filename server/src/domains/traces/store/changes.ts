import { sql } from 'kysely'
import { type Db, insertRows, lockRows, type Tables, type Trx } from '../../../db/index.ts'
import type { Pricing } from '../../prices/index.ts'
import { Increments, removeEmptyRollups, rollupUpsert, type TraceCost } from '../../rollups/index.ts'
import { costOf } from '../cost.ts'
import { factsOf } from '../facts.ts'
import { labelsOf } from '../labels.ts'
import { decodeRecord, type TraceRecord } from '../record.ts'

interface Stored {
  row: Tables['traces']
  record: TraceRecord
}

/** The traces as they are now; nobody else changes them before the transaction ends. */
async function lock(trx: Trx, dialect: Db['dialect'], projectId: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  const query = trx
    .selectFrom('traces')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('trace_id', 'in', ids)
    .orderBy('trace_id')
  const rows = await lockRows(dialect, query).execute()
  const bodies = await trx
    .selectFrom('trace_bodies')
    .select(['trace_id', 'body'])
    .where('project_id', '=', projectId)
    .where('trace_id', 'in', ids)
    .execute()
  const byId = new Map(bodies.map(({ trace_id, body }) => [trace_id, body]))
  return rows.flatMap((row): Stored[] => {
    const body = byId.get(row.trace_id)
    return body ? [{ row, record: decodeRecord(body) }] : []
  })
}

function storedCost(row: Tables['traces']): TraceCost | null {
  if (row.cost === null) return null
  const { cost: total, llm_cost: llm, embedding_cost: embedding, reranking_cost: reranking } = row
  return { total, llm: llm ?? total, embedding: embedding ?? 0, reranking: reranking ?? 0 }
}

async function deleteLabels(trx: Trx, projectId: string, traces: readonly Stored[]): Promise<void> {
  const keys = traces.flatMap(({ row, record }) =>
    labelsOf(record).map(
      ({ name, value }) => sql`(${name}, ${value}, cast(${row.created_at} as bigint), ${row.trace_id})`,
    ),
  )
  for (let from = 0; from < keys.length; from += 5000) {
    await sql`delete from trace_labels where project_id = ${projectId}
      and (name, value, created_at, trace_id) in (values ${sql.join(keys.slice(from, from + 5000))})`.execute(
      trx,
    )
  }
}

/** Deletes those of the traces that are still there, with all that hangs on them; answers how many. */
export function deleteTraces(db: Db, projectId: string, ids: readonly string[]): Promise<number> {
  return db.transaction(async (trx) => {
    const traces = await lock(trx, db.dialect, projectId, ids)
    if (traces.length === 0) return 0
    const increments = new Increments()
    for (const { row, record } of traces) {
      increments.addTrace(factsOf(projectId, record, storedCost(row)), -1)
    }
    await deleteLabels(trx, projectId, traces)
    const gone = traces.map(({ row }) => row.trace_id)
    await trx.deleteFrom('traces').where('project_id', '=', projectId).where('trace_id', 'in', gone).execute()
    const upsert = rollupUpsert(db.dialect, increments)
    await insertRows(trx, upsert)
    await removeEmptyRollups(trx, upsert)
    return traces.length
  })
}

/** What a re-pricing did to a page of traces; the costs are those of all of them. */
export interface Repriced {
  examined: number
  changed: number
  before: number
  after: number
}

/** Computes the costs of traces again; those that came from the client stay. */
export function repriceTraces(
  db: Db,
  projectId: string,
  ids: readonly string[],
  pricing: Pricing,
): Promise<Repriced> {
  return db.transaction(async (trx) => {
    const traces = await lock(trx, db.dialect, projectId, ids)
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
