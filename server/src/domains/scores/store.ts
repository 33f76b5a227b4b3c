import type { Db, Tables } from '../../db/index.ts'

export type ScoreRow = Tables['scores']

export type ScoreStore = ReturnType<typeof createScoreStore>

export function createScoreStore(db: Db) {
  return {
    insert(row: ScoreRow): Promise<void> {
      return db.insertAll([{ table: 'scores', columns: Object.keys(row), rows: [Object.values(row)] }])
    },

    /** Newest first; ids made in the same millisecond keep some fixed order. */
    listForTrace(projectId: string, traceId: string): Promise<ScoreRow[]> {
      return db.read
        .selectFrom('scores')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .orderBy('created_at', 'desc')
        .orderBy('score_id', 'desc')
        .execute()
    },
  }
}
