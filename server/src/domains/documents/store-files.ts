import type { FileChunk } from '@cairn/contract'
import type { Db, Tables } from '../../db/index.ts'
import type { NewEvent } from '../events/index.ts'
import type { DocumentSweeper } from './delete/index.ts'
import { type RemovedFile, removeDocument } from './delete/index.ts'
import { withLockedChat } from './store-changes.ts'

export type FileRow = Pick<
  Tables['documents'],
  'file_id' | 'filename' | 'size_bytes' | 'chunk_count' | 'pages' | 'scope_values' | 'created_at'
>

export type FileStore = ReturnType<typeof createFileStore>

const fileColumns = [
  'file_id',
  'filename',
  'size_bytes',
  'chunk_count',
  'pages',
  'scope_values',
  'created_at',
] as const

export function createFileStore(db: Db, sweeper: DocumentSweeper) {
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

    /** Chunks of a file in order, beginning with the chunk number `offset` (from 0). */
    async chunks(
      chatId: string,
      fileId: string,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<FileChunk[]> {
      const rows = await db.read
        .selectFrom('chunks')
        .select(['chunk_id', 'chunk_order', 'page', 'heading_path', 'text'])
        .where('chat_id', '=', chatId)
        .where('file_id', '=', fileId)
        .where('chunk_order', '>=', offset)
        .orderBy('chunk_order')
        .limit(limit)
        .execute()
      return rows.map(({ chunk_order: order, heading_path, ...row }) => ({
        ...row,
        order,
        headings: JSON.parse(heading_path) as string[],
      }))
    },

    /** The position of a chunk in its file, from 0; undefined if the file has no such chunk. */
    async chunkOrder(chatId: string, fileId: string, chunkId: string): Promise<number | undefined> {
      const row = await db.read
        .selectFrom('chunks')
        .select('chunk_order')
        .where('chat_id', '=', chatId)
        .where('chunk_id', '=', chunkId)
        .where('file_id', '=', fileId)
        .executeTakeFirst()
      return row?.chunk_order
    },

    /** Deletes a file. Returns undefined if there is no such file, also for the second of two concurrent deletions. */
    async remove(
      chatId: string,
      fileId: string,
      event: (file: RemovedFile) => NewEvent,
    ): Promise<RemovedFile | undefined> {
      const removed = await withLockedChat(db, chatId, (trx, projectId) =>
        removeDocument(trx, { chatId, fileId, projectId }, event),
      )
      if (removed) await sweeper.sweepHidden([{ chatId, fileId }])
      return removed
    },
  }
}
