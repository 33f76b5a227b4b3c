import type { Db, Tables } from '../../db/index.ts'

export type ProviderRow = Tables['model_providers']

export type ProviderStore = ReturnType<typeof createProviderStore>

/** Model providers apply to all projects of the server. */
export function createProviderStore(db: Db) {
  return {
    list(): Promise<ProviderRow[]> {
      return db.read.selectFrom('model_providers').selectAll().orderBy('provider').execute()
    },

    async upsert(row: ProviderRow): Promise<void> {
      const { provider, ...values } = row
      await db.transaction((trx) =>
        trx
          .insertInto('model_providers')
          .values(row)
          .onConflict((conflict) => conflict.column('provider').doUpdateSet(values))
          .execute(),
      )
    },

    /** Returns false if the provider is not stored. */
    async delete(provider: string): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx.deleteFrom('model_providers').where('provider', '=', provider).executeTakeFirst(),
      )
      return result.numDeletedRows > 0n
    },
  }
}
