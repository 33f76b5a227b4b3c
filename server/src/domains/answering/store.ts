import type { Db } from '../../db/index.ts'
import { newId } from '../../lib/ids.ts'
import { storable } from '../../lib/storable.ts'

/** A question of a conversation and its answer. */
export interface Turn {
  question: string
  answer: string
}

export type TurnStore = ReturnType<typeof createTurnStore>

/** Of one session: more than any setting lets a model see. */
const mostTurns = 500

export function createTurnStore(db: Db) {
  const ofSession = (chatId: string, sessionKey: string) =>
    db.read
      .selectFrom('chat_turns')
      .where('chat_id', '=', chatId)
      .where('session_key', '=', sessionKey)
      .orderBy('turn_id', 'desc')

  return {
    /** The last turns of a session, oldest first. */
    async last(chatId: string, sessionKey: string, limit: number): Promise<Turn[]> {
      const rows = await ofSession(chatId, sessionKey).select(['question', 'answer']).limit(limit).execute()
      return rows.reverse()
    },

    /** Adds a turn, and forgets those of the session that nobody will ask for. */
    async add(chatId: string, sessionKey: string, { question, answer }: Turn): Promise<void> {
      const now = Date.now()
      const row = [chatId, sessionKey, newId('turn_', now), now, storable(question), storable(answer)]
      const columns = ['chat_id', 'session_key', 'turn_id', 'created_at', 'question', 'answer']
      const oldest = ofSession(chatId, sessionKey).select('turn_id').offset(mostTurns).limit(1)
      const prune = db.read
        .deleteFrom('chat_turns')
        .where('chat_id', '=', chatId)
        .where('session_key', '=', sessionKey)
        .where('turn_id', '<=', oldest)
      await db.insertAll([{ table: 'chat_turns', columns, rows: [row] }], [prune.compile()])
    },

    /** Deletes the turns of a project's chats from before that time (epoch ms); answers how many. */
    async deleteOlder(projectId: string, before: number): Promise<number> {
      const result = await db.transaction((trx) =>
        trx
          .deleteFrom('chat_turns')
          .where(
            'chat_id',
            'in',
            trx.selectFrom('chats').select('chat_id').where('project_id', '=', projectId),
          )
          .where('created_at', '<', before)
          .executeTakeFirst(),
      )
      return Number(result.numDeletedRows)
    },
  }
}
