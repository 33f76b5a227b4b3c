import type { CompiledQuery, Kysely } from 'kysely'
import { type Db, lockRows, type Tables, type Trx } from '../../db/index.ts'
import { dropSegment, touchSegment } from '../retrieval/index.ts'
import { askToRelate } from './store-relating.ts'

function raiseIndexVersion(db: Kysely<Tables>, chatId: string) {
  return db
    .updateTable('chats')
    .set((eb) => ({ index_version: eb('index_version', '+', 1), updated_at: Date.now() }))
    .where('chat_id', '=', chatId)
}

/** Belongs behind the statements that write a new document, in their transaction. */
export function afterInsert(db: Kysely<Tables>, chatId: string, fileId: string): CompiledQuery[] {
  return [
    raiseIndexVersion(db, chatId).compile(),
    touchSegment(db, chatId, fileId).compile(),
    askToRelate(db, chatId, fileId),
  ]
}

/**
 * Belongs to every transaction that changes or deletes the text, the name or the chunks of stored documents, behind its
 * other statements: what is derived from them follows here. `fileIds` are those that are still there.
 */
export async function documentsChanged(trx: Trx, chatId: string, fileIds: readonly string[]): Promise<void> {
  await raiseIndexVersion(trx, chatId).execute()
  for (const fileId of fileIds) {
    await dropSegment(trx, chatId, fileId)
    await trx.executeQuery(askToRelate(trx, chatId, fileId))
  }
}

/**
 * Takes the chat's row: transactions that change what one chat knows follow one another, and none finds a node that
 * another one is taking out. A new document, too, is only written when its transaction has raised the chat's version,
 * so it comes before all of this one or behind it. One that deletes the chat takes the row `toDelete`: taking more of it
 * later could meet an upload that waits for the row. Answers the chat's project; undefined when there is no chat.
 */
export async function lockChat(
  db: Db,
  trx: Trx,
  chatId: string,
  { toDelete = false } = {},
): Promise<string | undefined> {
  const query = trx.selectFrom('chats').select('project_id').where('chat_id', '=', chatId)
  const locked = lockRows(db.dialect, query, toDelete ? 'forUpdate' : 'forNoKeyUpdate')
  const chat = await locked.executeTakeFirst()
  return chat?.project_id
}

/**
 * One transaction over the documents, chunks and relationships of a chat, whose row is locked. Undefined when there is
 * no chat.
 */
export function withLockedChat<T>(
  db: Db,
  chatId: string,
  work: (trx: Trx, projectId: string) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction(async (trx) => {
    const projectId = await lockChat(db, trx, chatId)
    return projectId === undefined ? undefined : work(trx, projectId)
  })
}
