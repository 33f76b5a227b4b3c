import { type Db, newestFirst, type Tables } from '../../db/index.ts'
import type { Page } from '../../lib/cursor.ts'

export type AuditRow = Tables['audit_entries']

export interface AuditConditions {
  projectId: string | undefined
  action: string | undefined
}

export type AuditStore = ReturnType<typeof createAuditStore>

/** The audit log. An entry is inserted, gets its outcome once, and is never deleted. */
export function createAuditStore(db: Db) {
  return {
    /** Durable when it resolves. */
    insert(row: AuditRow): Promise<void> {
      return db.insertAll([{ table: 'audit_entries', columns: Object.keys(row), rows: [Object.values(row)] }])
    },

    /** `projectId` is stored only if the entry has no project yet. */
    async finish(entryId: string, outcome: { status: number; projectId: string | null }): Promise<void> {
      await db.transaction((trx) =>
        trx
          .updateTable('audit_entries')
          .set((eb) => ({
            status: outcome.status,
            project_id: eb.fn.coalesce('project_id', eb.val(outcome.projectId)),
          }))
          .where('entry_id', '=', entryId)
          .execute(),
      )
    },

    /** Newest first; `after` is the last entry of the previous page. */
    list({ projectId, action }: AuditConditions, page: Page): Promise<AuditRow[]> {
      let query = db.read.selectFrom('audit_entries').selectAll()
      if (projectId !== undefined) query = query.where('project_id', '=', projectId)
      if (action !== undefined) query = query.where('action', '=', action)
      return newestFirst(query, ['created_at', 'entry_id'], page).execute()
    },
  }
}
