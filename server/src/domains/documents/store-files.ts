import type { Db, Tables, Trx } from '../../db/index.ts'
import { type NewEvent, recordEvent } from '../events/index.ts'
import { raiseIndexVersion } from './store.ts'

export type FileRow = Pick<
  Tables['documents'],
  'file_id' | 'filename' | 'size_bytes' | 'chunk_count' | 'created_at'
>

/** A file as it was when it was taken out. */
export interface RemovedFile {
  projectId: string
  filename: string
  sizeBytes: number
  /** Chunks that went with it. */
  chunkCount: number
}

export type FileStore = ReturnType<typeof createFileStore>

const fileColumns = ['file_id', 'filename', 'size_bytes', 'chunk_count', 'created_at'] as const

/** Relationships that begin or end at the file or at one of its chunks. */
async function removeRelationships(trx: Trx, chatId: string, fileId: string): Promise<void> {
  const chunkIds = trx
    .selectFrom('chunks')
    .select('chunk_id')
    .where('chat_id', '=', chatId)
    .where('file_id', '=', fileId)
  await trx
    .deleteFrom('relationships')
    .where('chat_id', '=', chatId)
    .where((eb) =>
      eb.or([
        eb('source_id', '=', fileId),
        eb('target_id', '=', fileId),
        eb('source_id', 'in', chunkIds),
        eb('target_id', 'in', chunkIds),
      ]),
    )
    .execute()
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

    /**
     * Takes out the document with its text, chunks and relationships, raises the chat's index version and writes the
     * event of it: all or nothing. Undefined when the chat has no such file (any more).
     */
    remove(
      chatId: string,
      fileId: string,
      event: (file: RemovedFile) => NewEvent,
    ): Promise<RemovedFile | undefined> {
      return db.transaction(async (trx) => {
        const ofFile = trx.selectFrom('documents').select(fileColumns)
        const query = ofFile.where('chat_id', '=', chatId).where('file_id', '=', fileId)
        // Of two at once, the second waits here and then finds nothing.
        const row = await (db.dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
        if (!row) return undefined
        await removeRelationships(trx, chatId, fileId)
        const { numDeletedRows } = await trx
          .deleteFrom('chunks')
          .where('chat_id', '=', chatId)
          .where('file_id', '=', fileId)
          .executeTakeFirst()
        // Its text goes by its foreign key.
        await trx
          .deleteFrom('documents')
          .where('chat_id', '=', chatId)
          .where('file_id', '=', fileId)
          .execute()
        const { project_id } = await raiseIndexVersion(trx, chatId)
          .returning('project_id')
          .executeTakeFirstOrThrow()
        const removed = {
          projectId: project_id,
          filename: row.filename,
          sizeBytes: row.size_bytes,
          chunkCount: Number(numDeletedRows),
        }
        await recordEvent(trx, event(removed))
        return removed
      })
    },
  }
}
