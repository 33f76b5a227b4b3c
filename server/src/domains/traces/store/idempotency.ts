import type { CompiledQuery } from 'kysely'
import type { Db, RowInsert, Tables } from '../../../db/index.ts'

export type IdempotencyRow = Tables['idempotency_keys']

/** The row of a key, for the transaction of the first traces. A second insert with the same key fails. */
export function idempotencyInsert(row: IdempotencyRow): RowInsert {
  return { table: 'idempotency_keys', columns: Object.keys(row), rows: [Object.values(row)] }
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>

export function createIdempotencyStore(db: Db) {
  return {
    find(projectId: string, keyHash: string): Promise<IdempotencyRow | undefined> {
      return db.read
        .selectFrom('idempotency_keys')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('key_hash', '=', keyHash)
        .executeTakeFirst()
    },

    /** The statement that marks a request as complete, for the transaction of its last traces. */
    completion(projectId: string, keyHash: string): CompiledQuery {
      return db.read
        .updateTable('idempotency_keys')
        .set({ complete: 1 })
        .where('project_id', '=', projectId)
        .where('key_hash', '=', keyHash)
        .compile()
    },

    /** Deletes the keys of a project from before a time (epoch ms). */
    async deleteOlder(projectId: string, beforeMs: number): Promise<void> {
      await db.transaction((trx) =>
        trx
          .deleteFrom('idempotency_keys')
          .where('project_id', '=', projectId)
          .where('created_at', '<', beforeMs)
          .execute(),
      )
    },
  }
}
