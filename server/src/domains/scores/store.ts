import { type Db, insertedOr, type RowInsert, type Tables, type Trx, unindexed } from '../../db/index.ts'
import { type Deletion, deletionOf } from '../../jobs/index.ts'

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
  'source',
  'source_id',
  'scorer',
  'method',
  'model',
  'span_id',
] as const satisfies (keyof ScoreRow)[]

/** The insert of scores. The caller runs it in its own transaction, for example together with the traces. */
export function scoreInsert(scores: readonly ScoreRow[]): RowInsert {
  return { table: 'scores', columns, rows: scores.map((score) => columns.map((column) => score[column])) }
}

export type ScoreStore = ReturnType<typeof createScoreStore>

export function createScoreStore(db: Db) {
  return {
    insert(row: ScoreRow): Promise<'inserted' | 'no_trace'> {
      return insertedOr(db, scoreInsert([row]), { missing: 'no_trace' })
    },

    /**
     * The given traces that have a score by this scorer. Older versions stored the scorer only as the name of the score,
     * without a source.
     */
    async scoredBy(projectId: string, scorer: string, ids: readonly string[]): Promise<Set<string>> {
      if (ids.length === 0) return new Set()
      const rows = await db.read
        .selectFrom('scores')
        .select('trace_id')
        .distinct()
        .where('project_id', '=', projectId)
        .where('trace_id', 'in', ids)
        .where((eb) =>
          eb.or([eb('scorer', '=', scorer), eb.and([eb('source', 'is', null), eb('name', '=', scorer)])]),
        )
        .execute()
      return new Set(rows.map(({ trace_id }) => trace_id))
    },

    async count(projectId: string, traceId: string): Promise<number> {
      const { scores } = await db.read
        .selectFrom('scores')
        .select((eb) => eb.fn.countAll<number>().as('scores'))
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .executeTakeFirstOrThrow()
      return scores
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

    /** Returns false if the score does not exist. */
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

    /** The scores of several traces, oldest first. */
    listForTraces(
      projectId: string,
      traceIds: readonly string[],
    ): Promise<Pick<ScoreRow, 'trace_id' | 'name' | 'value'>[]> {
      return db.read
        .selectFrom('scores')
        .select(['trace_id', 'name', 'value'])
        .where('project_id', '=', projectId)
        .where('trace_id', 'in', traceIds)
        .orderBy(unindexed('created_at'))
        .orderBy('score_id')
        .execute()
    },

    /** Newest first. Scores of the same millisecond have a fixed order. */
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

/** A trace has at most one rating, so its id follows from the trace's, and of concurrent ratings the last one stays. */
function feedbackIdOf(traceId: string): string {
  return `scr_${traceId.slice(traceId.indexOf('_') + 1)}`
}

/** Writes the rating of a trace in place of an earlier one. The caller has checked that the trace exists. */
export async function replaceFeedback(trx: Trx, score: ScoreRow): Promise<void> {
  const { value, comment, created_at } = score
  await trx
    .insertInto('scores')
    .values({ ...score, score_id: feedbackIdOf(score.trace_id) })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'trace_id', 'score_id']).doUpdateSet({ value, comment, created_at }),
    )
    .execute()
}

export async function deleteFeedback(trx: Trx, projectId: string, traceId: string): Promise<void> {
  await trx
    .deleteFrom('scores')
    .where('project_id', '=', projectId)
    .where('trace_id', '=', traceId)
    .where('score_id', '=', feedbackIdOf(traceId))
    .execute()
}

/** Deletes the comments of the ratings of these traces, and keeps the ratings. */
export async function deleteFeedbackComments(
  trx: Trx,
  projectId: string,
  traceIds: readonly string[],
): Promise<void> {
  await trx
    .updateTable('scores')
    .set({ comment: null })
    .where('project_id', '=', projectId)
    .where('trace_id', 'in', traceIds)
    .where('source', '=', 'feedback')
    .execute()
}

/** The steps of a project's deletion that delete its scores. */
export function scoreDeletion(db: Db): Deletion['steps'] {
  return [
    deletionOf(db, { table: 'scores', key: ['project_id', 'trace_id', 'score_id'], column: 'project_id' }),
  ]
}
