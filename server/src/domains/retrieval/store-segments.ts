import type { Kysely } from 'kysely'
import type { RowInsert, Tables, Trx } from '../../db/index.ts'
import type { StoredSegment } from './segments/index.ts'

/** The row of a new document; `touchSegment` belongs into the same transaction, after it. */
export function segmentRow(document: {
  chatId: string
  fileId: string
  /** In order, a space between them. */
  chunkIds: string
  segment: StoredSegment
}): RowInsert {
  const { chatId, fileId, chunkIds, segment } = document
  return {
    table: 'document_segments',
    columns: ['chat_id', 'file_id', 'version', 'format', 'segment', 'chunk_ids'],
    rows: [[chatId, fileId, 0, segment.format, segment.bytes, chunkIds]],
  }
}

/** Belongs behind the raising of the chat's index version in every transaction that adds a document or changes its scopes. */
export function touchSegment(db: Kysely<Tables>, chatId: string, fileId: string) {
  return db
    .updateTable('document_segments')
    .set((eb) => ({
      version: eb.selectFrom('chats').select('index_version').where('chat_id', '=', chatId),
    }))
    .where('chat_id', '=', chatId)
    .where('file_id', '=', fileId)
}

/** What the index goes by: of documents that nobody is to see any more. */
export async function deleteSegments(trx: Trx, chatId: string, fileIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('document_segments')
    .where('chat_id', '=', chatId)
    .where('file_id', 'in', fileIds)
    .execute()
}

/**
 * Belongs behind the raising of the chat's index version in every transaction that changes a document's chunks or its
 * name: what the index holds of it is made anew when it is needed.
 */
export async function dropSegment(trx: Trx, chatId: string, fileId: string): Promise<void> {
  await touchSegment(trx, chatId, fileId).set({ format: 0, segment: null, chunk_ids: '' }).execute()
  await trx
    .deleteFrom('document_vectors')
    .where('chat_id', '=', chatId)
    .where('file_id', '=', fileId)
    .execute()
}
