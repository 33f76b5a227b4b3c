import type { ChatSettings } from '@cairn/contract'
import type { CompiledQuery, Kysely } from 'kysely'
import { type Db, lockRows, type Tables, type Trx } from '../../db/index.ts'

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
  /** The application of the end user whose private chat this is; null for other chats. */
  app_id: string | null
}

/** Changes of a chat. If they contain published settings, the store sets `published_at`. */
export type ChatChanges = Partial<
  Pick<ChatRow, 'title' | 'api_access_enabled' | 'draft_settings' | 'published_settings' | 'published_at'>
>

type StoredChat = Tables['chats']

export function toStored(changes: ChatChanges): Partial<StoredChat> {
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

/** The statement that inserts a chat. */
export function chatInsert(db: Kysely<Tables>, row: ChatRow): CompiledQuery {
  const { chat_id, project_id, title, created_at, published_at, updated_at, index_version, app_id } = row
  const { api_access_enabled, draft_settings, published_settings } = row
  return db
    .insertInto('chat_rows')
    .values({
      ...{ chat_id, project_id, title, created_at, published_at, updated_at, index_version, app_id },
      api_access_enabled: api_access_enabled ? 1 : 0,
      draft_settings: JSON.stringify(draft_settings),
      published_settings: published_settings && JSON.stringify(published_settings),
    })
    .compile()
}

/**
 * Locks the chat's row until the end of the transaction. Changes of a chat's documents then run one after the other,
 * and none sees a node that another one is deleting. The transaction that completes a new document updates the same
 * row, so it runs completely before or after this one. Returns the chat's project, or undefined if there is no such
 * chat.
 */
export async function lockChat(db: Db, trx: Trx, chatId: string): Promise<string | undefined> {
  const query = trx.selectFrom('chats').select('project_id').where('chat_id', '=', chatId)
  const chat = await lockRows(db.dialect, query, 'forNoKeyUpdate').executeTakeFirst()
  return chat?.project_id
}

/** Raises the index version of a chat, so that every process updates its index before the next search. */
export function raiseIndexVersion(db: Kysely<Tables>, chatId: string) {
  return db
    .updateTable('chat_rows')
    .set((eb) => ({ index_version: eb('index_version', '+', 1) }))
    .where('chat_id', '=', chatId)
    .where('state', '=', 'live')
    .returning('index_version')
}

/** Like `raiseIndexVersion` for a change of documents, which also sets the chat's time of change. */
export function documentsChangedAt(db: Kysely<Tables>, chatId: string, nowMs: number) {
  return raiseIndexVersion(db, chatId).set({ updated_at: nowMs })
}
