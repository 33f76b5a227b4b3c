import type { Db, Tables, Trx } from '../../db/index.ts'
import { type NewEvent, recordEvent } from '../events/index.ts'
import { changeKnowledge, documentsChanged } from './store-changes.ts'

export type FileRow = Pick<
  Tables['documents'],
  'file_id' | 'filename' | 'size_bytes' | 'chunk_count' | 'created_at'
>

/** A file as it was when it was taken out. */
export interface RemovedFile {
  projectId: string
  filename: string
  sizeBytes: number
  /** What went with it. */
  chunkCount: number
  relationshipCount: number
}

export type FileStore = ReturnType<typeof createFileStore>

const fileColumns = ['file_id', 'filename', 'size_bytes', 'chunk_count', 'created_at'] as const

/**
 * Takes out the relationships that begin or end at the file or at one of its chunks; answers how many. One end after the
 * other: with both in one condition, SQLite would look at every relationship of the chat.
 */
async function removeRelationships(trx: Trx, chatId: string, fileId: string): Promise<number> {
  const chunkIds = trx
    .selectFrom('chunks')
    .select('chunk_id as id')
    .where('chat_id', '=', chatId)
    .where('file_id', '=', fileId)
  const file = trx
    .selectFrom('documents')
    .select('file_id as id')
    .where('chat_id', '=', chatId)
    .where('file_id', '=', fileId)
  let removed = 0
  for (const end of ['source_id', 'target_id'] as const) {
    const { numDeletedRows } = await trx
      .deleteFrom('relationships')
      .where('chat_id', '=', chatId)
      .where(end, 'in', chunkIds.unionAll(file))
      .executeTakeFirst()
    removed += Number(numDeletedRows)
  }
  return removed
}

/**
 * Takes out a document with its text, chunks and relationships and writes the event of it, inside of `changeKnowledge`.
 * Undefined when the chat has no such file.
 */
export async function removeDocument(
  trx: Trx,
  { chatId, fileId, projectId }: { chatId: string; fileId: string; projectId: string },
  event: (file: RemovedFile) => NewEvent,
): Promise<RemovedFile | undefined> {
  const ofFile = trx.selectFrom('documents').select(fileColumns)
  const row = await ofFile.where('chat_id', '=', chatId).where('file_id', '=', fileId).executeTakeFirst()
  if (!row) return undefined
  const relationshipCount = await removeRelationships(trx, chatId, fileId)
  const { numDeletedRows } = await trx
    .deleteFrom('chunks')
    .where('chat_id', '=', chatId)
    .where('file_id', '=', fileId)
    .executeTakeFirst()
  // Its text goes by its foreign key.
  await trx.deleteFrom('documents').where('chat_id', '=', chatId).where('file_id', '=', fileId).execute()
  await documentsChanged(trx, chatId, [])
  const removed = {
    projectId,
    filename: row.filename,
    sizeBytes: row.size_bytes,
    chunkCount: Number(numDeletedRows),
    relationshipCount,
  }
  await recordEvent(trx, event(removed))
  return removed
}

export function createFileStore(db: Db) {
  function filesOf(chatId: string) {
    return db.read.selectFrom('documents').select(fileColumns).where('chat_id', '=', chatId)
  }

  return {
    /** Newest first. */
    list(chatId: string): Promise<FileRow[]> {
      return filesOf(chatId).orderBy('created_at', 'desc').orderBy('file_id', 'desc').execute()
    },

    find(chatId: string, fileId: string): Promise<FileRow | undefined> {
      return filesOf(chatId).where('file_id', '=', fileId).executeTakeFirst()
    },

    /** All or nothing. Of two at once, the second finds nothing: undefined. */
    remove(
      chatId: string,
      fileId: string,
      event: (file: RemovedFile) => NewEvent,
    ): Promise<RemovedFile | undefined> {
      return changeKnowledge(db, chatId, (trx, projectId) =>
        removeDocument(trx, { chatId, fileId, projectId }, event),
      )
    },
  }
}
