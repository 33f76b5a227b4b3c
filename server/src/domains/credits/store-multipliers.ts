import type { Db, Tables } from '../../db/index.ts'

export type MultiplierRow = Tables['credit_multipliers']

export type MultiplierStore = ReturnType<typeof createMultiplierStore>

/** Multipliers apply to all projects of the server. */
export function createMultiplierStore(db: Db) {
  return {
    list(): Promise<MultiplierRow[]> {
      return db.read.selectFrom('credit_multipliers').selectAll().orderBy('model').execute()
    },

    async upsert(row: MultiplierRow): Promise<void> {
      const { model, ...values } = row
      await db.transaction((trx) =>
        trx
          .insertInto('credit_multipliers')
          .values(row)
          .onConflict((conflict) => conflict.column('model').doUpdateSet(values))
          .execute(),
      )
    },

    /** Returns false if no multiplier is set for the model. */
    async delete(model: string): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx.deleteFrom('credit_multipliers').where('model', '=', model).executeTakeFirst(),
      )
      return result.numDeletedRows > 0n
    },
  }
}
