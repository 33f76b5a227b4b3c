import type { CompiledQuery, Kysely } from 'kysely'
import type { Db, Tables, Trx } from '../../db/index.ts'
import { documentsChangedAt, lockChat } from '../chats/index.ts'
import { dropSegment, touchSegment } from '../retrieval/index.ts'
import { askToRelate } from './store-relating.ts'

/** Belongs behind the statements that write a new document, in their transaction. */
export function afterInsert(db: Kysely<Tables>, chatId: string, fileId: string): CompiledQuery[] {
  return [
    documentsChangedAt(db, chatId, Date.now()).compile(),
    touchSegment(db, chatId, fileId).compile(),
    askToRelate(db, chatId, fileId),
  ]
}

/**
 * Belongs to every transaction that changes or deletes the text, the name or the chunks of stored documents, behind its
 * other statements: what is derived from them follows here. `fileIds` are those that are still there.
 */
export async function documentsChanged(trx: Trx, chatId: string, fileIds: readonly string[]): Promise<void> {
  await documentsChangedAt(trx, chatId, Date.now()).execute()
  for (const fileId of fileIds) {
    await dropSegment(trx, chatId, fileId)
    await trx.executeQuery(askToRelate(trx, chatId, fileId))
  }
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
