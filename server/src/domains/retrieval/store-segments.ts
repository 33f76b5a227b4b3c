import type { Kysely } from 'kysely'
import type { RowInsert, Tables, Trx } from '../../db/index.ts'
import type { StoredSegment } from './segments/index.ts'

/** The row of a new document's segment. `setSegmentVersion` must follow it in the same transaction. */
export function segmentRow(document: {
  chatId: string
  fileId: string
  /** Ids in order, separated by spaces. */
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

/**
 * Sets the segment's version to the chat's index version, so that loaded indexes read the document again. Call it after
 * raising the index version, in every transaction that adds a document or changes its scopes.
 */
export function setSegmentVersion(db: Kysely<Tables>, chatId: string, fileId: string) {
  return db
    .updateTable('document_segments')
    .set((eb) => ({
      // Not the view `chats`: it hides the chat from the moment on in which its project is being deleted.
      version: eb.selectFrom('chat_rows').select('index_version').where('chat_id', '=', chatId),
    }))
    .where('chat_id', '=', chatId)
    .where('file_id', '=', fileId)
}

/** Removes documents from the search index. */
export async function deleteSegments(trx: Trx, chatId: string, fileIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('document_segments')
    .where('chat_id', '=', chatId)
    .where('file_id', 'in', fileIds)
    .execute()
}

/**
 * Deletes a document's segment and vectors; they are made again when they are needed. Call it after raising the index
 * version, in every transaction that changes a document's chunks or name.
 */
export async function invalidateSegment(trx: Trx, chatId: string, fileId: string): Promise<void> {
  await setSegmentVersion(trx, chatId, fileId).set({ format: 0, segment: null, chunk_ids: '' }).execute()
  await trx
    .deleteFrom('document_vectors')
    .where('chat_id', '=', chatId)
    .where('file_id', '=', fileId)
    .execute()
}
