import type { Permission } from '@cairn/contract'
import type { Db } from '../../db/index.ts'

export interface ProjectRow {
  project_id: string
  name: string
  created_at: number
  /** Days that traces are kept; 0 or null for ever. */
  retention_days: number | null
}

export interface KeyRow {
  key_id: string
  project_id: string
  chat_id: string | null
  name: string
  permissions: Permission[]
  last4: string
  created_at: number
}

export type AccessStore = ReturnType<typeof createAccessStore>

const keyColumns = ['key_id', 'project_id', 'chat_id', 'name', 'permissions', 'last4', 'created_at'] as const

function toKey(row: Omit<KeyRow, 'permissions'> & { permissions: string }): KeyRow {
  return { ...row, permissions: JSON.parse(row.permissions) as Permission[] }
}

/** Projects and keys. Secrets are only ever stored and looked up by their hash. */
export function createAccessStore(db: Db) {
  return {
    async insertProject(row: ProjectRow): Promise<void> {
      await db.insertAll([
        {
          table: 'projects',
          columns: ['project_id', 'name', 'created_at', 'retention_days'],
          rows: [[row.project_id, row.name, row.created_at, row.retention_days]],
        },
      ])
    },

    listProjects(): Promise<ProjectRow[]> {
      return db.read.selectFrom('projects').selectAll().orderBy('created_at').orderBy('project_id').execute()
    },

    findProject(projectId: string): Promise<ProjectRow | undefined> {
      return db.read.selectFrom('projects').selectAll().where('project_id', '=', projectId).executeTakeFirst()
    },

    /** False when there is no such project. */
    async updateProject(
      projectId: string,
      changes: Partial<Pick<ProjectRow, 'name' | 'retention_days'>>,
    ): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx.updateTable('projects').set(changes).where('project_id', '=', projectId).executeTakeFirst(),
      )
      return result.numUpdatedRows > 0n
    },

    /** Deletes the project and, by its foreign keys, all that hangs on it. False when there is none. */
    async deleteProject(projectId: string): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx.deleteFrom('projects').where('project_id', '=', projectId).executeTakeFirst(),
      )
      return result.numDeletedRows > 0n
    },

    /** With a chat's first key its API access is switched on, in the same transaction. */
    async insertKey(row: KeyRow, secretHash: string): Promise<void> {
      await db.transaction(async (trx) => {
        const { chat_id: chatId } = row
        if (chatId !== null) {
          const earlier = trx.selectFrom('api_keys').select('key_id').where('chat_id', '=', chatId)
          if (!(await earlier.executeTakeFirst())) {
            await trx
              .updateTable('chats')
              .set({ api_access_enabled: 1, updated_at: row.created_at })
              .where('chat_id', '=', chatId)
              .execute()
          }
        }
        await trx
          .insertInto('api_keys')
          .values({ ...row, permissions: JSON.stringify(row.permissions), secret_hash: secretHash })
          .execute()
      })
    },

    async findKeyByHash(secretHash: string): Promise<KeyRow | undefined> {
      const row = await db.read
        .selectFrom('api_keys')
        .select(keyColumns)
        .where('secret_hash', '=', secretHash)
        .executeTakeFirst()
      return row && toKey(row)
    },

    /** The project of a key, also of a chat's. */
    async findProjectOfKey(keyId: string): Promise<string | undefined> {
      const key = db.read.selectFrom('api_keys').select('project_id').where('key_id', '=', keyId)
      return (await key.executeTakeFirst())?.project_id
    },

    /** Keys of the project itself, without those of its chats. */
    async listProjectKeys(projectId: string): Promise<KeyRow[]> {
      const rows = await db.read
        .selectFrom('api_keys')
        .select(keyColumns)
        .where('project_id', '=', projectId)
        .where('chat_id', 'is', null)
        .orderBy('created_at')
        .execute()
      return rows.map(toKey)
    },

    async listChatKeys(chatId: string): Promise<KeyRow[]> {
      const rows = await db.read
        .selectFrom('api_keys')
        .select(keyColumns)
        .where('chat_id', '=', chatId)
        .orderBy('created_at')
        .execute()
      return rows.map(toKey)
    },

    async deleteKey(keyId: string): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx.deleteFrom('api_keys').where('key_id', '=', keyId).executeTakeFirst(),
      )
      return result.numDeletedRows > 0n
    },
  }
}
