import { type Db, orAbortText, type RowInsert, type Tables } from '../../../db/index.ts'

/** How far the import of a file has come. */
export type ImportRow = Tables['imports']

/**
 * The row as it is behind a step of the import. The step counts only when the one before it is the last one that
 * was written: of two imports of the same file at once, the slower one aborts, and so writes nothing.
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
    /** All of a project, in no order. */
    list(projectId: string): Promise<ImportRow[]> {
      return db.read.selectFrom('imports').selectAll().where('project_id', '=', projectId).execute()
    },

    /** The file counts as new again; its traces stay. */
    async forget(projectId: string, source: string): Promise<void> {
      await db.transaction((trx) =>
        trx.deleteFrom('imports').where('project_id', '=', projectId).where('source', '=', source).execute(),
      )
    },
  }
}
