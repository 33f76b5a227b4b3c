import { type ChatSettings, limits } from '@cairn/contract'
import { type Db, lockRows, type Tables, type Trx } from '../../db/index.ts'
import { forgetUsers } from '../usage/index.ts'

export interface ChatRow {
  chat_id: string
  project_id: string
  title: string
  created_at: number
  api_access_enabled: boolean
  draft_settings: ChatSettings
  published_settings: ChatSettings | null
  published_at: number | null
  updated_at: number
  index_version: number
  /** Set on the private sub-chat of an application's user. */
  app_id: string | null
}

export interface PublicationRow {
  published_at: number
  settings: ChatSettings
}

/** What is published gets its time from the store. */
export type ChatChanges = Partial<
  Pick<ChatRow, 'title' | 'api_access_enabled' | 'draft_settings' | 'published_settings' | 'published_at'>
>

export type ChatStore = ReturnType<typeof createChatStore>

type StoredChat = Tables['chats']

function toRow(stored: StoredChat): ChatRow {
  return {
    ...stored,
    api_access_enabled: stored.api_access_enabled === 1,
    draft_settings: JSON.parse(stored.draft_settings) as ChatSettings,
    published_settings: stored.published_settings
      ? (JSON.parse(stored.published_settings) as ChatSettings)
      : null,
  }
}

function toStored(changes: ChatChanges): Partial<StoredChat> {
  const { api_access_enabled, draft_settings, published_settings, ...plain } = changes
  return {
    ...plain,
    ...(api_access_enabled !== undefined && { api_access_enabled: api_access_enabled ? 1 : 0 }),
    ...(draft_settings && { draft_settings: JSON.stringify(draft_settings) }),
    ...(published_settings !== undefined && {
      published_settings: published_settings && JSON.stringify(published_settings),
    }),
  }
}

/**
 * Keeps a copy of settings that are being published, forgets the oldest ones, and answers the time of it: each is later
 * than the one before, whatever the clocks of several servers say. The chat's row is locked by the caller.
 */
async function keepPublication(trx: Trx, chatId: string, settings: ChatSettings): Promise<number> {
  const kept = trx
    .selectFrom('chat_publications')
    .where('chat_id', '=', chatId)
    .orderBy('published_at', 'desc')
  const last = await kept.select('published_at').limit(1).executeTakeFirst()
  const published_at = Math.max(Date.now(), (last?.published_at ?? 0) + 1)
  await trx
    .insertInto('chat_publications')
    .values({ chat_id: chatId, published_at, settings: JSON.stringify(settings) })
    .execute()
  await trx
    .deleteFrom('chat_publications')
    .where('chat_id', '=', chatId)
    .where('published_at', 'not in', kept.select('published_at').limit(limits.publicationsKept))
    .execute()
  return published_at
}

export function createChatStore(db: Db) {
  return {
    async insert(row: ChatRow): Promise<void> {
      const { chat_id, project_id, title, created_at, published_at, updated_at, index_version } = row
      const plain = { chat_id, project_id, title, created_at, published_at, updated_at, index_version }
      const stored = { ...plain, ...toStored(row) }
      const columns = Object.keys(stored)
      const publication = [chat_id, published_at, JSON.stringify(row.published_settings)]
      await db.insertAll([
        { table: 'chats', columns, rows: [Object.values(stored)] },
        {
          table: 'chat_publications',
          columns: ['chat_id', 'published_at', 'settings'],
          rows: row.published_settings ? [publication] : [],
        },
      ])
    },

    async find(chatId: string): Promise<ChatRow | undefined> {
      const row = await db.read
        .selectFrom('chats')
        .selectAll()
        .where('chat_id', '=', chatId)
        .executeTakeFirst()
      return row && toRow(row)
    },

    async listByProject(projectId: string): Promise<ChatRow[]> {
      const rows = await db.read
        .selectFrom('chats')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('app_id', 'is', null)
        .orderBy('created_at')
        .orderBy('chat_id')
        .execute()
      return rows.map(toRow)
    },

    /** Of those that are published the one that was made first. */
    async firstPublished(projectId: string): Promise<string | undefined> {
      const row = await db.read
        .selectFrom('chats')
        .select('chat_id')
        .where('project_id', '=', projectId)
        .where('published_settings', 'is not', null)
        .orderBy('created_at')
        .orderBy('chat_id')
        .limit(1)
        .executeTakeFirst()
      return row?.chat_id
    },

    /**
     * Reads the chat, lets `change` decide, and writes, in one transaction; undefined when there is no chat.
     * Two changes at once both take effect: the later one sees the earlier.
     */
    async update(chatId: string, change: (chat: ChatRow) => ChatChanges): Promise<ChatRow | undefined> {
      return db.transaction(async (trx) => {
        const query = trx.selectFrom('chats').selectAll().where('chat_id', '=', chatId)
        const stored = await lockRows(db.dialect, query).executeTakeFirst()
        if (!stored) return undefined
        const row = toRow(stored)
        const changes = change(row)
        if (changes.published_settings) {
          changes.published_at = await keepPublication(trx, chatId, changes.published_settings)
        }
        if (Object.keys(changes).length === 0) return row
        const updated_at = Date.now()
        await trx
          .updateTable('chats')
          .set({ ...toStored(changes), updated_at })
          .where('chat_id', '=', chatId)
          .execute()
        return { ...row, ...changes, updated_at }
      })
    },

    /** Deletes the chat and, by its foreign keys, its keys, documents, chunks, relationships and applications. */
    async delete(chatId: string): Promise<boolean> {
      return db.transaction(async (trx) => {
        const query = trx.selectFrom('chats').select('project_id').where('chat_id', '=', chatId)
        const chat = await lockRows(db.dialect, query).executeTakeFirst()
        if (!chat) return false
        await forgetUsers(db, trx, { projectId: chat.project_id, parentChatId: chatId })
        await trx.deleteFrom('chats').where('chat_id', '=', chatId).execute()
        return true
      })
    },

    /** The settings that were published last, newest first. */
    async publications(chatId: string): Promise<PublicationRow[]> {
      const rows = await db.read
        .selectFrom('chat_publications')
        .select(['published_at', 'settings'])
        .where('chat_id', '=', chatId)
        .orderBy('published_at', 'desc')
        .execute()
      return rows.map(({ published_at, settings }) => ({
        published_at,
        settings: JSON.parse(settings) as ChatSettings,
      }))
    },

    /** How many documents each of these chats has; those without are left out. */
    async fileCounts(chatIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      if (chatIds.length === 0) return new Map()
      const rows = await db.read
        .selectFrom('documents')
        .select(({ fn }) => ['chat_id', fn.countAll<number>().as('count')])
        .where('chat_id', 'in', chatIds)
        .groupBy('chat_id')
        .execute()
      return new Map(rows.map(({ chat_id, count }) => [chat_id, Number(count)]))
    },

    /** Ids of the chat's documents. */
    async documentIds(chatId: string): Promise<string[]> {
      const rows = await db.read
        .selectFrom('documents')
        .select('file_id')
        .where('chat_id', '=', chatId)
        .execute()
      return rows.map((row) => row.file_id)
    },
  }
}
