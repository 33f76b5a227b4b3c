import { type ChatSettings, defaultChatSettings } from '@cairn/contract'
import { type Db, newestFirst, type Tables, type Trx } from '../../db/index.ts'
import type { Page } from '../../lib/cursor.ts'
import { forgetUsers } from '../usage/index.ts'

export interface ApplicationRow {
  app_id: string
  project_id: string
  chat_id: string
  app_name: string
  issuer: string
  /** With the issuer DYNAMIC: those that are accepted; null for any. */
  allowed_issuers: readonly string[] | null
  allowed_audiences: readonly string[]
  /** Whether the audience is part of who somebody is; decided once, at the registration. */
  separates_audiences: boolean
  alg_allowlist: readonly string[]
  jwks_uri: string | null
  api_access_enabled: boolean
  created_at: number
}

export type ApplicationChanges = Partial<
  Pick<
    ApplicationRow,
    'app_name' | 'allowed_issuers' | 'allowed_audiences' | 'alg_allowlist' | 'jwks_uri' | 'api_access_enabled'
  >
>

export interface ApplicationTotals {
  users: number
  files: number
  total_size_bytes: number
}

export interface UserRow {
  user_id: string
  chat_id: string
  files: number
  total_size_bytes: number
  created_at: number
}

/** Somebody as their identity provider names them. `hash` is that of everything that tells them apart. */
export interface NewUser {
  appId: string
  projectId: string
  userId: string
  chatId: string
  identityHash: string
  issuer: string
  subject: string
  createdMs: number
}

export interface KnownUser {
  userId: string
  chatId: string
}

export type ApplicationStore = ReturnType<typeof createApplicationStore>

type StoredApplication = Tables['applications']

function toRow(stored: StoredApplication): ApplicationRow {
  return {
    ...stored,
    allowed_issuers:
      stored.allowed_issuers === null ? null : (JSON.parse(stored.allowed_issuers) as string[]),
    allowed_audiences: JSON.parse(stored.allowed_audiences) as string[],
    separates_audiences: stored.separates_audiences === 1,
    alg_allowlist: JSON.parse(stored.alg_allowlist) as string[],
    api_access_enabled: stored.api_access_enabled === 1,
  }
}

function toStored(changes: ApplicationChanges): Partial<StoredApplication> {
  const { allowed_issuers, allowed_audiences, alg_allowlist, api_access_enabled, ...plain } = changes
  return {
    ...plain,
    ...(allowed_issuers !== undefined && {
      allowed_issuers: allowed_issuers && JSON.stringify(allowed_issuers),
    }),
    ...(allowed_audiences && { allowed_audiences: JSON.stringify(allowed_audiences) }),
    ...(alg_allowlist && { alg_allowlist: JSON.stringify(alg_allowlist) }),
    ...(api_access_enabled !== undefined && { api_access_enabled: api_access_enabled ? 1 : 0 }),
  }
}

/** A sub-chat takes its settings from the parent; its own are never read. */
const unusedSettings: ChatSettings = defaultChatSettings

async function insertChat(trx: Trx, { appId, projectId, chatId, createdMs }: NewUser): Promise<void> {
  const row = {
    chat_id: chatId,
    project_id: projectId,
    app_id: appId,
    title: '',
    created_at: createdMs,
    api_access_enabled: 0,
    draft_settings: JSON.stringify(unusedSettings),
    published_settings: null,
    published_at: null,
    updated_at: createdMs,
    index_version: 0,
  }
  await trx.insertInto('chats').values(row).execute()
}

/** Thrown inside of a transaction so that it leaves nothing. */
class AlreadyKnown extends Error {}

export function createApplicationStore(db: Db) {
  function users(appId: string) {
    return db.read
      .selectFrom('app_users as user')
      .leftJoin('documents as document', 'document.chat_id', 'user.chat_id')
      .where('user.app_id', '=', appId)
      .groupBy(['user.user_id', 'user.chat_id', 'user.created_at'])
      .select(({ fn }) => [
        'user.user_id',
        'user.chat_id',
        'user.created_at',
        fn.count<number>('document.file_id').as('files'),
        fn.sum<number | null>('document.size_bytes').as('total_size_bytes'),
      ])
  }

  return {
    async insert(row: ApplicationRow): Promise<void> {
      const stored: StoredApplication = {
        ...row,
        allowed_issuers: row.allowed_issuers && JSON.stringify(row.allowed_issuers),
        allowed_audiences: JSON.stringify(row.allowed_audiences),
        separates_audiences: row.separates_audiences ? 1 : 0,
        alg_allowlist: JSON.stringify(row.alg_allowlist),
        api_access_enabled: row.api_access_enabled ? 1 : 0,
      }
      await db.insertAll([
        { table: 'applications', columns: Object.keys(stored), rows: [Object.values(stored)] },
      ])
    },

    async find(appId: string): Promise<ApplicationRow | undefined> {
      const query = db.read.selectFrom('applications').selectAll().where('app_id', '=', appId)
      const stored = await query.executeTakeFirst()
      return stored && toRow(stored)
    },

    /** Oldest first; of one project when it is named. */
    async list(projectId: string | undefined): Promise<ApplicationRow[]> {
      let query = db.read.selectFrom('applications').selectAll()
      if (projectId !== undefined) query = query.where('project_id', '=', projectId)
      return (await query.orderBy('created_at').orderBy('app_id').execute()).map(toRow)
    },

    /** False when there is no such application. */
    async update(appId: string, changes: ApplicationChanges): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx.updateTable('applications').set(toStored(changes)).where('app_id', '=', appId).executeTakeFirst(),
      )
      return result.numUpdatedRows > 0n
    },

    /** Deletes the application; its users' chats go by their foreign keys. */
    async delete(appId: string): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx.deleteFrom('applications').where('app_id', '=', appId).executeTakeFirst(),
      )
      return result.numDeletedRows > 0n
    },

    /** How many users applications have, and what those hold in all; one without users is left out. */
    async totals(appIds: readonly string[]): Promise<Map<string, ApplicationTotals>> {
      if (appIds.length === 0) return new Map()
      const rows = await db.read
        .selectFrom('app_users as user')
        .leftJoin('documents as document', 'document.chat_id', 'user.chat_id')
        .where('user.app_id', 'in', appIds)
        .groupBy('user.app_id')
        .select(({ fn }) => [
          'user.app_id',
          fn.count<number>('user.user_id').distinct().as('users'),
          fn.count<number>('document.file_id').as('files'),
          fn.sum<number | null>('document.size_bytes').as('total_size_bytes'),
        ])
        .execute()
      return new Map(
        rows.map(({ app_id, users, files, total_size_bytes }) => [
          app_id,
          { users: Number(users), files: Number(files), total_size_bytes: Number(total_size_bytes) },
        ]),
      )
    },

    /** Newest first; `after` is the last user of the page before. */
    async users(appId: string, page: Page): Promise<UserRow[]> {
      const rows = await newestFirst(users(appId), ['user.created_at', 'user.user_id'], page).execute()
      return rows.map((row) => ({
        ...row,
        files: Number(row.files),
        total_size_bytes: Number(row.total_size_bytes),
      }))
    },

    /** Ids of some of an application's users, for work in steps. */
    async someUsers(appId: string, limit: number): Promise<string[]> {
      const query = db.read.selectFrom('app_users').select('user_id').where('app_id', '=', appId)
      return (await query.limit(limit).execute()).map(({ user_id }) => user_id)
    },

    async findUser(appId: string, identityHash: string): Promise<KnownUser | undefined> {
      const row = await db.read
        .selectFrom('app_users')
        .select(['user_id', 'chat_id'])
        .where('app_id', '=', appId)
        .where('identity_hash', '=', identityHash)
        .executeTakeFirst()
      return row && { userId: row.user_id, chatId: row.chat_id }
    },

    /**
     * The user with their private chat, both made once whatever happens at the same time: the constraint on the identity
     * decides. False when somebody else has made them, and nothing is left of this attempt.
     */
    async insertUser(user: NewUser): Promise<boolean> {
      try {
        await db.transaction(async (trx) => {
          await insertChat(trx, user)
          const result = await trx
            .insertInto('app_users')
            .values({
              app_id: user.appId,
              user_id: user.userId,
              chat_id: user.chatId,
              identity_hash: user.identityHash,
              issuer: user.issuer,
              // JSON escapes what a database would refuse in a text; a subject may be any.
              subject: JSON.stringify(user.subject),
              created_at: user.createdMs,
            })
            .onConflict((conflict) => conflict.columns(['app_id', 'identity_hash']).doNothing())
            .executeTakeFirst()
          if (result.numInsertedOrUpdatedRows === 0n) throw new AlreadyKnown()
        })
        return true
      } catch (error) {
        if (error instanceof AlreadyKnown) return false
        throw error
      }
    },

    /** Deletes a user with their chat and all that it holds; false when the application has no such user. */
    async deleteUser(appId: string, userId: string): Promise<boolean> {
      return db.transaction(async (trx) => {
        const user = await trx
          .selectFrom('app_users')
          .innerJoin('chats', 'chats.chat_id', 'app_users.chat_id')
          .select(['app_users.chat_id', 'chats.project_id'])
          .where('app_users.app_id', '=', appId)
          .where('app_users.user_id', '=', userId)
          .executeTakeFirst()
        if (!user) return false
        const { chat_id: chatId, project_id: projectId } = user
        await forgetUsers(db, trx, { projectId, appId, userId })
        const chat = trx.deleteFrom('chats').where('chat_id', '=', chatId).where('app_id', '=', appId)
        return (await chat.executeTakeFirst()).numDeletedRows > 0n
      })
    },
  }
}
