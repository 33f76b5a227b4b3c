import { type ChatSettings, defaultChatSettings } from '@cairn/contract'
import { type Db, newestFirst, outcomeOf, type Tables, type Trx } from '../../db/index.ts'
import { type DeletionStep, enqueueDeletion } from '../../jobs/index.ts'
import type { Page } from '../../lib/cursor.ts'
import { chatInsert, startDeletion } from '../chats/index.ts'
import { forgetUser, type UserKey } from './store-forget.ts'

export interface ApplicationRow {
  app_id: string
  project_id: string
  chat_id: string
  app_name: string
  issuer: string
  /** Accepted issuers if `issuer` is DYNAMIC; null accepts any. */
  allowed_issuers: readonly string[] | null
  allowed_audiences: readonly string[]
  /** Whether the audience is part of a user's identity. It is set at the registration and never changes. */
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

/** A user to insert. `identityHash` is the hash of the claims that identify the user. */
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

/** A sub-chat uses the settings of its parent chat; its own settings are never read. */
const unusedSettings: ChatSettings = defaultChatSettings

function chatOf({ appId, projectId, chatId, createdMs }: NewUser) {
  return {
    chat_id: chatId,
    project_id: projectId,
    app_id: appId,
    title: '',
    created_at: createdMs,
    api_access_enabled: false,
    draft_settings: unusedSettings,
    published_settings: null,
    published_at: null,
    updated_at: createdMs,
    index_version: 0,
  }
}

async function startApplicationDeletion(trx: Trx, appId: string): Promise<boolean> {
  const app = await trx
    .updateTable('application_rows')
    .set({ state: 'deleting' })
    .where('app_id', '=', appId)
    .where('state', '=', 'live')
    .returning('project_id')
    .executeTakeFirst()
  if (!app) return false
  await enqueueDeletion(trx, { what: 'application', id: appId, projectId: app.project_id })
  return true
}

/** Thrown inside a transaction to roll it back. */
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
    insert(row: ApplicationRow): Promise<'inserted' | 'no_chat'> {
      const stored: StoredApplication = {
        ...row,
        allowed_issuers: row.allowed_issuers && JSON.stringify(row.allowed_issuers),
        allowed_audiences: JSON.stringify(row.allowed_audiences),
        separates_audiences: row.separates_audiences ? 1 : 0,
        alg_allowlist: JSON.stringify(row.alg_allowlist),
        api_access_enabled: row.api_access_enabled ? 1 : 0,
      }
      const work = () =>
        db.transaction(async (trx) => {
          const chat = trx.selectFrom('chats').select('chat_id').where('chat_id', '=', row.chat_id)
          if (!(await chat.executeTakeFirst())) return 'no_chat'
          await trx.insertInto('application_rows').values(stored).execute()
          return 'inserted'
        })
      return outcomeOf(work, { missing: 'no_chat' })
    },

    async find(appId: string): Promise<ApplicationRow | undefined> {
      const query = db.read.selectFrom('applications').selectAll().where('app_id', '=', appId)
      const stored = await query.executeTakeFirst()
      return stored && toRow(stored)
    },

    /** Oldest first; without a project, of all projects. */
    async list(projectId: string | undefined): Promise<ApplicationRow[]> {
      let query = db.read.selectFrom('applications').selectAll()
      if (projectId !== undefined) query = query.where('project_id', '=', projectId)
      return (await query.orderBy('created_at').orderBy('app_id').execute()).map(toRow)
    },

    /** Returns false if the application does not exist. */
    async update(appId: string, changes: ApplicationChanges): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx
          .updateTable('application_rows')
          .set(toStored(changes))
          .where('app_id', '=', appId)
          .where('state', '=', 'live')
          .executeTakeFirst(),
      )
      return result.numUpdatedRows > 0n
    },

    /**
     * Hides the application; a job then deletes its users and their data. Returns false if the application does not exist
     * or is already in deletion.
     */
    startDeletion(appId: string): Promise<boolean> {
      return db.transaction((trx) => startApplicationDeletion(trx, appId))
    },

    /** Numbers of users and files, and the total size of the files, by application. Without users, there is no entry. */
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

    /** Newest first; `after` is the last user of the previous page. */
    async users(appId: string, page: Page): Promise<UserRow[]> {
      const rows = await newestFirst(users(appId), ['user.created_at', 'user.user_id'], page).execute()
      return rows.map((row) => ({
        ...row,
        files: Number(row.files),
        total_size_bytes: Number(row.total_size_bytes),
      }))
    },

    async findUser(appId: string, identityHash: string): Promise<KnownUser | undefined> {
      const row = await db.read
        .selectFrom('app_users')
        .select(['user_id', 'chat_id'])
        .where('app_id', '=', appId)
        .where('identity_hash', '=', identityHash)
        // The view `applications` hides applications in deletion, and so their users are hidden, too.
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('applications')
              .select('applications.app_id')
              .whereRef('applications.app_id', '=', 'app_users.app_id'),
          ),
        )
        .executeTakeFirst()
      return row && { userId: row.user_id, chatId: row.chat_id }
    },

    /**
     * Writes a user and their private chat in one transaction. The unique constraint on the identity prevents a second user
     * in concurrent requests. Returns `known` if the user exists, `no_application` if the application is deleted, and
     * `taken` if another user has one of the ids. In these cases nothing is written.
     */
    async insertUser(user: NewUser): Promise<'inserted' | 'known' | 'no_application' | 'taken'> {
      const work = () =>
        db.transaction(async (trx): Promise<'inserted' | 'no_application'> => {
          const app = trx.selectFrom('applications').select('app_id').where('app_id', '=', user.appId)
          if (!(await app.executeTakeFirst())) return 'no_application'
          await trx.executeQuery(chatInsert(trx, chatOf(user)))
          const result = await trx
            .insertInto('app_users')
            .values({
              app_id: user.appId,
              user_id: user.userId,
              chat_id: user.chatId,
              identity_hash: user.identityHash,
              issuer: user.issuer,
              // JSON escapes characters that PostgreSQL rejects in text; a subject may contain any character.
              subject: JSON.stringify(user.subject),
              created_at: user.createdMs,
            })
            .onConflict((conflict) => conflict.columns(['app_id', 'identity_hash']).doNothing())
            .executeTakeFirst()
          if (result.numInsertedOrUpdatedRows === 0n) throw new AlreadyKnown()
          return 'inserted'
        })
      try {
        return await outcomeOf(work, { missing: 'no_application', duplicate: 'taken' })
      } catch (error) {
        if (error instanceof AlreadyKnown) return 'known'
        throw error
      }
    },

    /**
     * Deletes a user and every reference to them, and starts the deletion of their chat in the background. Returns false if
     * the application has no such user.
     */
    async deleteUser(appId: string, userId: string): Promise<boolean> {
      const app = db.read.selectFrom('applications').select('project_id').where('app_id', '=', appId)
      const projectId = (await app.executeTakeFirst())?.project_id
      return projectId !== undefined && deleteUser(db, { projectId, appId, userId })
    },
  }
}

async function deleteUser(db: Db, user: UserKey): Promise<boolean> {
  return db.transaction(async (trx) => {
    if (!(await forgetUser(db, trx, user))) return false
    const { chat_id } = await trx
      .deleteFrom('app_users')
      .where('app_id', '=', user.appId)
      .where('user_id', '=', user.userId)
      .returning('chat_id')
      .executeTakeFirstOrThrow()
    await startDeletion(trx, chat_id)
    return true
  })
}

/** The number of applications whose state one transaction changes to `deleting`. */
const appsPerStep = 20

/** The steps in which applications are deleted with their users. */
export function createApplicationDeletionStore(db: Db) {
  return {
    /** A step of the deletion of an application: deletes one user, and then waits for the deletion of the users' chats. */
    async users(appId: string): Promise<DeletionStep> {
      const user = await db.read
        .selectFrom('app_users')
        .innerJoin('application_rows', 'application_rows.app_id', 'app_users.app_id')
        .select(['app_users.user_id', 'application_rows.project_id'])
        .where('app_users.app_id', '=', appId)
        .limit(1)
        .executeTakeFirst()
      if (user) {
        await deleteUser(db, { projectId: user.project_id, appId, userId: user.user_id })
        return 'more'
      }
      const chats = db.read.selectFrom('chat_rows').select('chat_id').where('app_id', '=', appId).limit(1)
      return (await chats.executeTakeFirst()) ? 'waits' : 'nothing'
    },

    async finish(appId: string): Promise<void> {
      await db.transaction((trx) =>
        trx
          .deleteFrom('application_rows')
          .where('app_id', '=', appId)
          .where('state', '=', 'deleting')
          .execute(),
      )
    },

    /** A step of the deletion of a chat: starts the deletion of applications with this parent chat, and then waits for it. */
    async ofChat(chatId: string): Promise<DeletionStep> {
      const apps = db.read.selectFrom('application_rows').select('app_id').where('chat_id', '=', chatId)
      const live = await apps.where('state', '=', 'live').limit(appsPerStep).execute()
      if (live.length === 0) return (await apps.limit(1).executeTakeFirst()) ? 'waits' : 'nothing'
      await db.transaction(async (trx) => {
        for (const { app_id } of live) await startApplicationDeletion(trx, app_id)
      })
      return 'more'
    },
  }
}
