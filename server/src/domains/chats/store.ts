import { type ChatSettings, defaultChatSettings, limits } from '@cairn/contract'
import { type Db, lockRows, type Tables, type Trx } from '../../db/index.ts'
import { inProject, insertKey, type KeyRow } from '../access/index.ts'
import { useEmbeddingModel } from './store-embedding.ts'
import { type ChatChanges, type ChatRow, chatInsert, lockChat, toStored } from './store-rows.ts'

export type { ChatChanges, ChatRow } from './store-rows.ts'

export interface PublicationRow {
  published_at: number
  settings: ChatSettings
}

export type ChatStore = ReturnType<typeof createChatStore>

type StoredChat = Tables['chats']

function toRow({ embedding_model: _, ...stored }: StoredChat): ChatRow {
  return {
    ...stored,
    api_access_enabled: stored.api_access_enabled === 1,
    draft_settings: toSettings(stored.draft_settings),
    published_settings: stored.published_settings ? toSettings(stored.published_settings) : null,
  }
}

/** Settings that were stored before a setting existed have its default. */
function toSettings(json: string): ChatSettings {
  return { ...defaultChatSettings, ...(JSON.parse(json) as Partial<ChatSettings>) }
}

/**
 * Stores a copy of published settings, deletes the oldest copies, and returns the publication time. Each time is
 * later than the previous one, even if the clocks of several servers differ. The caller has locked the chat's row.
 */
async function insertPublication(trx: Trx, chatId: string, settings: ChatSettings): Promise<number> {
  const publications = trx
    .selectFrom('chat_publications')
    .where('chat_id', '=', chatId)
    .orderBy('published_at', 'desc')
  const last = await publications.select('published_at').limit(1).executeTakeFirst()
  const published_at = Math.max(Date.now(), (last?.published_at ?? 0) + 1)
  await trx
    .insertInto('chat_publications')
    .values({ chat_id: chatId, published_at, settings: JSON.stringify(settings) })
    .execute()
  await trx
    .deleteFrom('chat_publications')
    .where('chat_id', '=', chatId)
    .where('published_at', 'not in', publications.select('published_at').limit(limits.publicationsKept))
    .execute()
  return published_at
}

export function createChatStore(db: Db) {
  return {
    insert(row: ChatRow): Promise<'inserted' | 'no_project'> {
      const { chat_id, project_id, published_settings, published_at } = row
      return inProject(db, project_id, async (trx) => {
        await trx.executeQuery(chatInsert(trx, row))
        if (published_settings && published_at !== null) {
          const settings = JSON.stringify(published_settings)
          await trx.insertInto('chat_publications').values({ chat_id, published_at, settings }).execute()
        }
        return 'inserted'
      })
    },

    async find(chatId: string): Promise<ChatRow | undefined> {
      const row = await db.read
        .selectFrom('chats')
        .selectAll()
        .where('chat_id', '=', chatId)
        .executeTakeFirst()
      return row && toRow(row)
    },

    /** The chats of a project, without the private chats of end users. */
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

    /** The id of the oldest chat with published settings. Private chats of end users are never published. */
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
     * Reads the chat, calls `change` and writes the result in one transaction, so concurrent changes do not overwrite
     * each other. Returns undefined if there is no such chat.
     */
    async update(chatId: string, change: (chat: ChatRow) => ChatChanges): Promise<ChatRow | undefined> {
      return db.transaction(async (trx) => {
        const query = trx.selectFrom('chats').selectAll().where('chat_id', '=', chatId)
        const stored = await lockRows(db.dialect, query).executeTakeFirst()
        if (!stored) return undefined
        const row = toRow(stored)
        const changes = change(row)
        if (changes.published_settings) {
          changes.published_at = await insertPublication(trx, chatId, changes.published_settings)
        }
        if (Object.keys(changes).length === 0) return row
        const updated_at = Date.now()
        await trx
          .updateTable('chat_rows')
          .set({ ...toStored(changes), updated_at })
          .where('chat_id', '=', chatId)
          .execute()
        const changed = { ...row, ...changes, updated_at }
        const { embedding_model } = changed.published_settings ?? changed.draft_settings
        if (embedding_model !== stored.embedding_model) await useEmbeddingModel(trx, changed, embedding_model)
        return changed
      })
    },

    /** Inserts a key of the chat. Enables API access if the chat has no other key. */
    insertKey(chatId: string, row: KeyRow, secretHash: string): Promise<'inserted' | 'no_chat'> {
      return db.transaction(async (trx) => {
        if ((await lockChat(db, trx, chatId)) === undefined) return 'no_chat'
        const earlier = trx.selectFrom('api_keys').select('key_id').where('chat_id', '=', chatId).limit(1)
        if (!(await earlier.executeTakeFirst())) {
          const enabled = { ...toStored({ api_access_enabled: true }), updated_at: row.created_at }
          await trx.updateTable('chat_rows').set(enabled).where('chat_id', '=', chatId).execute()
        }
        await insertKey(trx, row, secretHash)
        return 'inserted'
      })
    },

    /** The most recent publications of the settings, newest first; at most `limits.publicationsKept`. */
    async publications(chatId: string): Promise<PublicationRow[]> {
      const rows = await db.read
        .selectFrom('chat_publications')
        .select(['published_at', 'settings'])
        .where('chat_id', '=', chatId)
        .orderBy('published_at', 'desc')
        .execute()
      return rows.map(({ published_at, settings }) => ({
        published_at,
        settings: toSettings(settings),
      }))
    },

    /** Number of documents by chat id; chats without documents are missing. */
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
