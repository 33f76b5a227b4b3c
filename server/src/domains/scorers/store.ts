import { type Db, outcomeOf, type Tables } from '../../db/index.ts'
import { inProject } from '../access/index.ts'

export type ScorerRow = Tables['scorers']
export type ScorerStore = ReturnType<typeof createScorerStore>

export function createScorerStore(db: Db) {
  return {
    /** Returns `taken` if the project has a scorer with this slug. */
    insert(row: ScorerRow): Promise<'inserted' | 'taken' | 'no_project'> {
      const work = () =>
        inProject(db, row.project_id, async (trx): Promise<'inserted'> => {
          await trx.insertInto('scorers').values(row).execute()
          return 'inserted'
        })
      return outcomeOf(work, { duplicate: 'taken' })
    },

    /** Returns false if the scorer does not exist. */
    async replace(row: ScorerRow): Promise<boolean> {
      const { project_id, slug, description, prompt, choices, model, updated_at } = row
      const result = await db.transaction((trx) =>
        trx
          .updateTable('scorers')
          .set({ description, prompt, choices, model, updated_at })
          .where('project_id', '=', project_id)
          .where('slug', '=', slug)
          .executeTakeFirst(),
      )
      return result.numUpdatedRows > 0n
    },

    /** Returns false if the scorer does not exist. */
    async delete(projectId: string, slug: string): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx
          .deleteFrom('scorers')
          .where('project_id', '=', projectId)
          .where('slug', '=', slug)
          .executeTakeFirst(),
      )
      return result.numDeletedRows > 0n
    },

    find(projectId: string, slug: string): Promise<ScorerRow | undefined> {
      return db.read
        .selectFrom('scorers')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('slug', '=', slug)
        .executeTakeFirst()
    },

    list(projectId: string): Promise<ScorerRow[]> {
      return db.read
        .selectFrom('scorers')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('slug')
        .execute()
    },
  }
}
