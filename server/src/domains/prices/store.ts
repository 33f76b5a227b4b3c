import type { Db, Tables } from '../../db/index.ts'
import { inProject } from '../access/index.ts'

export type PriceRow = Tables['project_prices']

export type PriceStore = ReturnType<typeof createPriceStore>

export function createPriceStore(db: Db) {
  return {
    /** Latest start first. */
    list(projectId: string): Promise<PriceRow[]> {
      return db.read
        .selectFrom('project_prices')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('start_date', 'desc')
        .orderBy('model')
        .execute()
    },

    /**
     * Inserts a price, or updates the price of the same model and start date, which keeps its id and `created_at`. Returns
     * the stored row, or `too_many` if the project already has `maxPrices` prices.
     */
    upsert(row: PriceRow, maxPrices: number): Promise<PriceRow | 'too_many' | 'no_project'> {
      const { project_id, price_id, model, start_date, created_at, ...prices } = row
      return inProject(db, project_id, async (trx): Promise<PriceRow | 'too_many'> => {
        const written = await trx
          .insertInto('project_prices')
          .values(row)
          .onConflict((conflict) =>
            conflict.columns(['project_id', 'model', 'start_date']).doUpdateSet(prices),
          )
          .returningAll()
          .executeTakeFirstOrThrow()
        if (written.price_id !== price_id) return written
        const { count } = await trx
          .selectFrom('project_prices')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('project_id', '=', project_id)
          .executeTakeFirstOrThrow()
        if (Number(count) <= maxPrices) return written
        await trx
          .deleteFrom('project_prices')
          .where('project_id', '=', project_id)
          .where('price_id', '=', price_id)
          .execute()
        return 'too_many'
      })
    },

    /** Returns false if the project has no such price. */
    async delete(projectId: string, priceId: string): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx
          .deleteFrom('project_prices')
          .where('project_id', '=', projectId)
          .where('price_id', '=', priceId)
          .executeTakeFirst(),
      )
      return result.numDeletedRows > 0n
    },
  }
}
