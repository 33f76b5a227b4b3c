import type { ScopeDefinition } from '@cairn/contract'
import type { Db } from '../../db/index.ts'

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
    async replace(chatId: string, scopes: readonly ScopeDefinition[]): Promise<void> {
      // JSON escapes what PostgreSQL refuses in text (NUL, halves of surrogate pairs).
      const definitions = JSON.stringify(scopes)
      await db.transaction((trx) =>
        trx
          .insertInto('scope_configurations')
          .values({ chat_id: chatId, definitions })
          .onConflict((conflict) => conflict.column('chat_id').doUpdateSet({ definitions }))
          .execute(),
      )
    },

    /** Documents keep their values. */
    async clear(chatId: string): Promise<void> {
      await db.transaction((trx) =>
        trx.deleteFrom('scope_configurations').where('chat_id', '=', chatId).execute(),
      )
    },
  }
}
