import type { ScopeDefinition } from '@cairn/contract'
import { type Db, insertedOr } from '../../db/index.ts'

export type ScopeStore = ReturnType<typeof createScopeStore>

export function createScopeStore(db: Db) {
  return {
    /** The scopes that are configured; none without a configuration. */
    async find(chatId: string): Promise<ScopeDefinition[]> {
      const row = await db.read
        .selectFrom('scope_configurations')
        .select('definitions')
        .where('chat_id', '=', chatId)
        .executeTakeFirst()
      return row ? (JSON.parse(row.definitions) as ScopeDefinition[]) : []
    },

    /** Names of all scopes that documents of the chat carry. */
    async namesUsed(chatId: string): Promise<string[]> {
      const rows = await db.read
        .selectFrom('documents')
        .select('scope_values')
        .distinct()
        .where('chat_id', '=', chatId)
        .execute()
      return [...new Set(rows.flatMap(({ scope_values }) => Object.keys(JSON.parse(scope_values) as object)))]
    },

    /** Puts these in the place of what was configured. */
    replace(chatId: string, scopes: readonly ScopeDefinition[]): Promise<'inserted' | 'no_chat'> {
      // JSON escapes what PostgreSQL refuses in text (NUL, halves of surrogate pairs).
      const rows = { columns: ['chat_id', 'definitions'], rows: [[chatId, JSON.stringify(scopes)]] }
      const conflict = 'on conflict (chat_id) do update set definitions = excluded.definitions'
      return insertedOr(db, { table: 'scope_configurations', ...rows, conflict }, { missing: 'no_chat' })
    },

    /** Documents keep their values. */
    async clear(chatId: string): Promise<void> {
      await db.transaction((trx) =>
        trx.deleteFrom('scope_configurations').where('chat_id', '=', chatId).execute(),
      )
    },
  }
}
