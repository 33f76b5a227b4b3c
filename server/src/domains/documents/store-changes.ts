import type { CompiledQuery, Kysely } from 'kysely'
import type { Db, Tables, Trx } from '../../db/index.ts'
import { documentsChangedAt, lockChat } from '../chats/index.ts'
import { invalidateSegment, setSegmentVersion } from '../retrieval/index.ts'
import { enqueueRelating } from './store-relating.ts'

/**
 * Statements that follow every insert of a document, in its last transaction: the new index version of the chat, the
 * new version of the segment, and the job that relates the chunks.
 */
export function afterInsert(db: Kysely<Tables>, chatId: string, fileId: string): CompiledQuery[] {
  return [
    documentsChangedAt(db, chatId, Date.now()).compile(),
    setSegmentVersion(db, chatId, fileId).compile(),
    enqueueRelating(db, chatId, fileId),
  ]
}

/**
 * Call it as the last statement of every transaction that changes or deletes the text, the name or the chunks of
 * stored documents. It updates data that is derived from them: the index version, the segments and the jobs that
 * relate chunks.
 *
 * @param fileIds the changed documents that still exist
 */
export async function documentsChanged(trx: Trx, chatId: string, fileIds: readonly string[]): Promise<void> {
  await documentsChangedAt(trx, chatId, Date.now()).execute()
  for (const fileId of fileIds) {
    await invalidateSegment(trx, chatId, fileId)
    await trx.executeQuery(enqueueRelating(trx, chatId, fileId))
  }
}

/**
 * Runs a transaction that has locked the chat's row, so that only one of them at a time changes the chat's documents,
 * chunks and relationships. Returns undefined if there is no such chat.
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
