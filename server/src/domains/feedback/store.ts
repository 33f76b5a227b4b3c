import { type Db, lockRows, type RowInsert, type Trx } from '../../db/index.ts'
import type { Deletion, DeletionStep } from '../../jobs/index.ts'
import { deleteFeedback, deleteFeedbackComments, replaceFeedback, type ScoreRow } from '../scores/index.ts'

interface AskedAnswer {
  projectId: string
  traceId: string
  /** The chat in which the question was asked. */
  chatId: string
}

/** The insert of the chat of an answer, for the transaction of its trace. */
export function answerChatInsert({ projectId, traceId, chatId }: AskedAnswer): RowInsert {
  return {
    table: 'answer_chats',
    columns: ['project_id', 'trace_id', 'chat_id'],
    rows: [[projectId, traceId, chatId]],
  }
}

/** Every change of ratings locks the traces first, as the deletion of a trace does, so that none misses another one. */
async function lockTraces(db: Db, trx: Trx, projectId: string, traceIds: readonly string[]): Promise<void> {
  const traces = trx
    .selectFrom('traces')
    .select('trace_id')
    .where('project_id', '=', projectId)
    .where('trace_id', 'in', traceIds)
    .orderBy('trace_id')
  await lockRows(db.dialect, traces).execute()
}

export type FeedbackStore = ReturnType<typeof createFeedbackStore>

export function createFeedbackStore(db: Db) {
  return {
    /** Writes the score of an answer, or deletes it. Returns false if the answer was not asked for in this chat. */
    rate({ projectId, traceId, chatId }: AskedAnswer, score: ScoreRow | undefined): Promise<boolean> {
      return db.transaction(async (trx) => {
        await lockTraces(db, trx, projectId, [traceId])
        const answer = await trx
          .selectFrom('answer_chats')
          .select('trace_id')
          .where('project_id', '=', projectId)
          .where('trace_id', '=', traceId)
          .where('chat_id', '=', chatId)
          .executeTakeFirst()
        if (!answer) return false
        if (score) await replaceFeedback(trx, score)
        else await deleteFeedback(trx, projectId, traceId)
        return true
      })
    },
  }
}

/** Answers that one transaction of a deletion changes. */
const answersPerStep = 200

/** Deletes who asked for some answers of a chat in deletion. Comments of an end user are deleted with them. */
async function forgetSomeAnswers(db: Db, chatId: string): Promise<DeletionStep> {
  const chat = await db.read
    .selectFrom('chat_rows')
    .select(['project_id', 'app_id'])
    .where('chat_id', '=', chatId)
    .executeTakeFirst()
  const answers = await db.read
    .selectFrom('answer_chats')
    .select('trace_id')
    .where('chat_id', '=', chatId)
    .limit(answersPerStep)
    .execute()
  if (!chat || answers.length === 0) return 'nothing'
  const traceIds = answers.map(({ trace_id }) => trace_id)
  await db.transaction(async (trx) => {
    await lockTraces(db, trx, chat.project_id, traceIds)
    if (chat.app_id !== null) await deleteFeedbackComments(trx, chat.project_id, traceIds)
    await trx
      .deleteFrom('answer_chats')
      .where('project_id', '=', chat.project_id)
      .where('trace_id', 'in', traceIds)
      .execute()
  })
  return 'more'
}

/** The step of a chat's deletion that deletes who asked for its answers. */
export function feedbackDeletion(db: Db): Deletion['steps'] {
  return [(chatId) => forgetSomeAnswers(db, chatId)]
}
