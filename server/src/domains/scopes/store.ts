import type { ScopeDefinition } from '@cairn/contract'
import { type Db, insertedOr } from '../../db/index.ts'

export type ScopeStore = ReturnType<typeof createScopeStore>

export function createScopeStore(db: Db) {
  return {
    /** The configured scopes; empty without a configuration. */
    async find(chatId: string): Promise<ScopeDefinition[]> {
      const row = await db.read
        .selectFrom('scope_configurations')
        .select('definitions')
        .where('chat_id', '=', chatId)
        .executeTakeFirst()
      return row ? (JSON.parse(row.definitions) as ScopeDefinition[]) : []
    },

    /** Names of all scopes of the chat's documents. */
    async namesUsed(chatId: string): Promise<string[]> {
      const rows = await db.read
        .selectFrom('documents')
        .select('scope_values')
        .distinct()
        .where('chat_id', '=', chatId)
        .execute()
      return [...new Set(rows.flatMap(({ scope_values }) => Object.keys(JSON.parse(scope_values) as object)))]
    },

    /** Replaces the configuration. */
    replace(chatId: string, scopes: readonly ScopeDefinition[]): Promise<'inserted' | 'no_chat'> {
      // JSON escapes characters that PostgreSQL rejects in text (NUL, lone surrogates).
      const rows = { columns: ['chat_id', 'definitions'], rows: [[chatId, JSON.stringify(scopes)]] }
      const conflict = 'on conflict (chat_id) do update set definitions = excluded.definitions'
      return insertedOr(db, { table: 'scope_configurations', ...rows, conflict }, { missing: 'no_chat' })
    },

    /** Deletes the configuration; documents keep their values. */
    async clear(chatId: string): Promise<void> {
      await db.transaction((trx) =>
        trx.deleteFrom('scope_configurations').where('chat_id', '=', chatId).execute(),
      )
    },
  }
}
