import type { ModelDefaults, SetModelDefaults } from '@cairn/contract'
import type { Db } from '../../db/index.ts'

export type DefaultsStore = ReturnType<typeof createDefaultsStore>

/** The models that the console has chosen; they apply to all projects of the server. */
export function createDefaultsStore(db: Db) {
  return {
    async read(): Promise<ModelDefaults> {
      const rows = await db.read.selectFrom('model_defaults').select(['name', 'model']).execute()
      const chosen = (name: keyof ModelDefaults) => rows.find((row) => row.name === name)?.model ?? null
      return { default_model: chosen('default_model'), embedding_model: chosen('embedding_model') }
    },

    /** Stores choices, and deletes those that are null. */
    async write(choices: SetModelDefaults): Promise<void> {
      await db.transaction(async (trx) => {
        for (const [name, model] of Object.entries(choices)) {
          if (model === undefined) continue
          await trx.deleteFrom('model_defaults').where('name', '=', name).execute()
          const row = model === null ? undefined : { name, model, updated_at: Date.now() }
          if (row) await trx.insertInto('model_defaults').values(row).execute()
        }
      })
    },
  }
}
