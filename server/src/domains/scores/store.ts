import { type Db, type RowInsert, type Tables, unindexed } from '../../db/index.ts'

export type ScoreRow = Tables['scores']

const columns = [
  'project_id',
  'trace_id',
  'score_id',
  'name',
  'value',
  'comment',
  'created_at',
  'cost',
] as const satisfies (keyof ScoreRow)[]

/** For the transaction that writes the traces of the scores. */
export function scoreInsert(scores: readonly ScoreRow[]): RowInsert {
  return { table: 'scores', columns, rows: scores.map((score) => columns.map((column) => score[column])) }
}

export type ScoreStore = ReturnType<typeof createScoreStore>

export function createScoreStore(db: Db) {
  return {
    insert(row: ScoreRow): Promise<void> {
      return db.insertAll([scoreInsert([row])])
    },

    async traceExists(projectId: string, traceId: string): Promise<boolean> {
      const row = await db.read
        .selectFrom('traces')
        .select('trace_id')
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .executeTakeFirst()
      return row !== undefined
    },

    /** False when there is no such score. */
    async delete(projectId: string, traceId: string, scoreId: string): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx
          .deleteFrom('scores')
          .where('project_id', '=', projectId)
          .where('trace_id', '=', traceId)
          .where('score_id', '=', scoreId)
          .executeTakeFirst(),
      )
      return result.numDeletedRows > 0n
    },

    /** Newest first; ids made in the same millisecond keep some fixed order. */
    listForTrace(projectId: string, traceId: string): Promise<ScoreRow[]> {
      return db.read
        .selectFrom('scores')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .orderBy(unindexed('created_at'), 'desc')
        .orderBy('score_id', 'desc')
        .execute()
    },
  }
}
