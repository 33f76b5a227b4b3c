import { type Db, orAbortText, type RowInsert, type Tables } from '../../../db/index.ts'

/** The progress of the import of a file. */
export type ImportRow = Tables['imports']

/**
 * The upsert of the progress after a step. It aborts the transaction if the stored progress is not the end of the previous
 * step. So of two concurrent imports of the same file, the slower one writes nothing.
 */
export function progressUpsert(row: ImportRow): RowInsert {
  const columns = Object.keys(row) as (keyof ImportRow)[]
  const replaced = columns.filter((name) => !['project_id', 'source', 'bytes_done'].includes(name))
  const set = [
    `bytes_done = ${orAbortText('imports.bytes_done = excluded.bytes_from', 'excluded.bytes_done')}`,
    ...replaced.map((name) => `${name} = excluded.${name}`),
  ]
  return {
    table: 'imports',
    columns,
    rows: [columns.map((name) => row[name])],
    conflict: `on conflict (project_id, source) do update set ${set.join(', ')}`,
  }
}

export type ImportStore = ReturnType<typeof createImportStore>

export function createImportStore(db: Db) {
  return {
    /** All imports of a project, unordered. */
    list(projectId: string): Promise<ImportRow[]> {
      return db.read.selectFrom('imports').selectAll().where('project_id', '=', projectId).execute()
    },

    /** Deletes the progress of a file, so that it counts as new. Its traces stay. */
    async delete(projectId: string, source: string): Promise<void> {
      await db.transaction((trx) =>
        trx.deleteFrom('imports').where('project_id', '=', projectId).where('source', '=', source).execute(),
      )
    },
  }
}
