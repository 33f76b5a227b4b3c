import type { Permission } from '@cairn/contract'
import { expressionBuilder, type Kysely } from 'kysely'
import { type Db, outcomeOf, type Tables, type Trx } from '../../db/index.ts'
import { enqueueDeletion } from '../../jobs/index.ts'

export interface ProjectRow {
  project_id: string
  name: string
  created_at: number
  /** Days after which traces are deleted; 0 or null keeps traces without a limit. */
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

export async function hasProject(db: Kysely<Tables>, projectId: string): Promise<boolean> {
  const project = db.selectFrom('projects').select('project_id').where('project_id', '=', projectId)
  return (await project.executeTakeFirst()) !== undefined
}

/** A condition for queries: the project of the row is not in deletion. The rows themselves stay until they are deleted. */
export function isOfLiveProject(table: 'api_keys' | 'budgets' | 'webhooks') {
  const { exists, selectFrom } = expressionBuilder<Tables, typeof table>()
  const project = selectFrom('projects').select('projects.project_id')
  return exists(project.whereRef('projects.project_id', '=', `${table}.project_id`))
}

/** Checks the project and runs `write` in one transaction. Returns `no_project` if it does not exist or is in deletion. */
export function inProject<T extends string | object>(
  db: Db,
  projectId: string,
  write: (trx: Trx) => Promise<T>,
): Promise<T | 'no_project'> {
  const work = () =>
    db.transaction(async (trx) => ((await hasProject(trx, projectId)) ? write(trx) : ('no_project' as const)))
  return outcomeOf(work, { missing: 'no_project' })
}

/** Writes a key of a project or chat. The same transaction has already checked that the project or chat exists. */
export async function insertKey(trx: Trx, row: KeyRow, secretHash: string): Promise<void> {
  const values = { ...row, permissions: JSON.stringify(row.permissions), secret_hash: secretHash }
  await trx.insertInto('api_keys').values(values).execute()
}

/**
 * Projects and keys. A key is stored and found only by its hash. The views `projects` and `chats` hide rows in deletion; the
 * table of projects is `project_rows`.
 */
export function createAccessStore(db: Db) {
  /** Keys of live projects and chats. Keys of a project or chat in deletion stay until it is deleted. */
  function keys() {
    return db.read
      .selectFrom('api_keys')
      .where(isOfLiveProject('api_keys'))
      .where(({ or, eb, exists, selectFrom }) =>
        or([
          eb('api_keys.chat_id', 'is', null),
          exists(
            selectFrom('chats').select('chats.chat_id').whereRef('chats.chat_id', '=', 'api_keys.chat_id'),
          ),
        ]),
      )
  }

  return {
    async insertProject(row: ProjectRow): Promise<void> {
      await db.insertAll([
        {
          table: 'project_rows',
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

    /** Returns false if the project does not exist. */
    async updateProject(
      projectId: string,
      changes: Partial<Pick<ProjectRow, 'name' | 'retention_days'>>,
    ): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx
          .updateTable('project_rows')
          .set(changes)
          .where('project_id', '=', projectId)
          .where('state', '=', 'live')
          .executeTakeFirst(),
      )
      return result.numUpdatedRows > 0n
    },

    /**
     * Hides the project; a job then deletes its data. Returns false if the project does not exist or is already in
     * deletion.
     */
    startDeletion(projectId: string): Promise<boolean> {
      return db.transaction(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('project_rows')
          .set({ state: 'deleting' })
          .where('project_id', '=', projectId)
          .where('state', '=', 'live')
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await enqueueDeletion(trx, { what: 'project', id: projectId, projectId })
        return true
      })
    },

    /** Deletes the row of a project in deletion; foreign keys cascade to its few remaining rows. */
    async finishDeletion(projectId: string): Promise<void> {
      await db.transaction((trx) =>
        trx
          .deleteFrom('project_rows')
          .where('project_id', '=', projectId)
          .where('state', '=', 'deleting')
          .execute(),
      )
    },

    /** Writes a key of the project, not of a chat. */
    insertProjectKey(row: KeyRow, secretHash: string): Promise<'inserted' | 'no_project'> {
      return inProject(db, row.project_id, async (trx) => {
        await insertKey(trx, row, secretHash)
        return 'inserted'
      })
    },

    async findKeyByHash(secretHash: string): Promise<KeyRow | undefined> {
      const row = await keys().select(keyColumns).where('secret_hash', '=', secretHash).executeTakeFirst()
      return row && toKey(row)
    },

    /** The project of a key of a project or of a chat. */
    async findProjectOfKey(keyId: string): Promise<string | undefined> {
      const key = await keys().select('api_keys.project_id').where('key_id', '=', keyId).executeTakeFirst()
      return key?.project_id
    },

    /** Keys of the project, without keys of its chats. */
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
