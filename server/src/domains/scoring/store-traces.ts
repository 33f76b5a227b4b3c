import { type Db, insertRows, lockRows, type Trx } from '../../db/index.ts'
import { type ScoreRow, scoreInsert } from '../scores/index.ts'

/** Those of the traces that are there; none of them goes before the transaction ends. */
export async function holdTraces(
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

/** Writes those of the scores whose traces are there. */
export async function writeScores(
  trx: Trx,
  rows: readonly ScoreRow[],
  there: ReadonlySet<string>,
): Promise<void> {
  await insertRows(trx, scoreInsert(rows.filter(({ trace_id }) => there.has(trace_id))))
}
