import { type Db, insertRows, lockRows, type Trx } from '../../db/index.ts'
import { type ScoreRow, scoreInsert } from '../scores/index.ts'

/** Locks the existing traces against deletion until the end of the transaction, and returns their ids. */
export async function lockTraces(
  trx: Trx,
  dialect: Db['dialect'],
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const query = trx
    .selectFrom('traces')
    .select('trace_id')
    .where('project_id', '=', projectId)
    .where('trace_id', 'in', ids)
    .orderBy('trace_id')
  const rows = await lockRows(dialect, query, 'forKeyShare').execute()
  return new Set(rows.map(({ trace_id }) => trace_id))
}

/** Writes the scores of existing traces. */
export async function writeScores(
  trx: Trx,
  rows: readonly ScoreRow[],
  existing: ReadonlySet<string>,
): Promise<void> {
  await insertRows(trx, scoreInsert(rows.filter(({ trace_id }) => existing.has(trace_id))))
}
