import type { ScopeValues } from '@cairn/contract'
import type { Db } from '../../db/index.ts'
import { type Deletion, deletionOf } from '../../jobs/index.ts'
import { newId } from '../../lib/ids.ts'
import { storable } from '../../lib/storable.ts'
import { matchesScopes } from '../scopes/index.ts'

/** A question of a conversation and its answer. */
export interface Turn {
  question: string
  answer: string
}

export type TurnStore = ReturnType<typeof createTurnStore>

/** Maximum stored turns of a session, which is more than any setting of the history limit. */
const maxTurns = 500

export function createTurnStore(db: Db) {
  const ofSession = (chatId: string, sessionKey: string) =>
    db.read
      .selectFrom('chat_turns')
      .where('chat_id', '=', chatId)
      .where('session_key', '=', sessionKey)
      .orderBy('turn_id', 'desc')

  /** The distinct filters of the turns of a session. */
  async function filtersOf(chatId: string, sessionKey: string): Promise<ScopeValues[]> {
    const rows = await db.read
      .selectFrom('chat_turns')
      .where('chat_id', '=', chatId)
      .where('session_key', '=', sessionKey)
      .select('scope_filters')
      .distinct()
      .execute()
    return rows.map(({ scope_filters }) => JSON.parse(scope_filters) as ScopeValues)
  }

  return {
    /**
     * The last turns of a session that a question with these filters may use, oldest first: turns whose filters
     * include all of the question's filters. So the question may see every document that such a turn, or a turn
     * before it, has used.
     */
    async last(
      chatId: string,
      sessionKey: string,
      { scopeFilters, limit }: { scopeFilters: ScopeValues; limit: number },
    ): Promise<Turn[]> {
      let turns = ofSession(chatId, sessionKey)
      if (Object.keys(scopeFilters).length > 0) {
        const usable = (await filtersOf(chatId, sessionKey)).filter((filters) =>
          matchesScopes(filters, scopeFilters),
        )
        if (usable.length === 0) return []
        turns = turns.where(
          'scope_filters',
          'in',
          usable.map((filters) => JSON.stringify(filters)),
        )
      }
      const rows = await turns.select(['question', 'answer']).limit(limit).execute()
      return rows.reverse()
    },

    /**
     * Adds a turn, and deletes the oldest turns of the session above the maximum. `scopeFilters` must be sorted by
     * name.
     */
    async add(
      chatId: string,
      sessionKey: string,
      { question, answer, scopeFilters }: Turn & { scopeFilters: ScopeValues },
    ): Promise<void> {
      const now = Date.now()
      const texts = [storable(question), storable(answer), JSON.stringify(scopeFilters)]
      const row = [chatId, sessionKey, newId('turn_', now), now, ...texts]
      const columns = [
        'chat_id',
        'session_key',
        'turn_id',
        'created_at',
        'question',
        'answer',
        'scope_filters',
      ]
      const oldest = ofSession(chatId, sessionKey).select('turn_id').offset(maxTurns).limit(1)
      const prune = db.read
        .deleteFrom('chat_turns')
        .where('chat_id', '=', chatId)
        .where('session_key', '=', sessionKey)
        .where('turn_id', '<=', oldest)
      await db.insertAll([{ table: 'chat_turns', columns, rows: [row] }], [prune.compile()])
    },

    /**
     * Deletes the turns of a project's chats that are older than `before` (Unix milliseconds); returns their number.
     */
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

/** The step of a chat's deletion that deletes its turns. */
export function turnDeletion(db: Db): Deletion['steps'] {
  return [
    deletionOf(db, { table: 'chat_turns', key: ['chat_id', 'session_key', 'turn_id'], column: 'chat_id' }),
  ]
}
