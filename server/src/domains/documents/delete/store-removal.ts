import type { Trx } from '../../../db/index.ts'
import { type NewEvent, recordEvent } from '../../events/index.ts'
import { documentsChanged } from '../store-changes.ts'
import { deleteRelationshipsOf } from '../store-relationships.ts'
import { type DocumentKey, hideDocuments } from './store-sweep.ts'

/** A file as it was before its deletion. */
export interface RemovedFile {
  projectId: string
  filename: string
  sizeBytes: number
  chunkCount: number
  /** Deleted relationships, including HAS_CHUNK and NEXT. */
  relationshipCount: number
}

/** Number of links that are not stored: HAS_CHUNK to each chunk, and NEXT between the chunks of a document. */
export function linkCount(documents: number, chunks: number): number {
  return chunks === 0 ? 0 : 2 * chunks - documents
}

/**
 * Hides a document with its chunks, deletes its relationships and writes its event. Call it inside `withLockedChat`,
 * and sweep the document afterwards. Returns undefined if the chat has no such file.
 */
export async function removeDocument(
  trx: Trx,
  { projectId, ...key }: DocumentKey & { projectId: string },
  event: (file: RemovedFile) => NewEvent,
): Promise<RemovedFile | undefined> {
  const { chatId, fileId } = key
  const ofFile = trx.selectFrom('documents').select(['filename', 'size_bytes', 'chunk_count'])
  const row = await ofFile.where('chat_id', '=', chatId).where('file_id', '=', fileId).executeTakeFirst()
  if (!row) return undefined
  const chunks = trx.selectFrom('chunk_rows').select('chunk_id').where('chat_id', '=', chatId)
  const stored = await deleteRelationshipsOf(trx, chatId, chunks.where('file_id', '=', fileId))
  await hideDocuments(trx, chatId, [fileId])
  await documentsChanged(trx, chatId, [])
  const removed = {
    projectId,
    filename: row.filename,
    sizeBytes: row.size_bytes,
    chunkCount: row.chunk_count,
    relationshipCount: stored + linkCount(1, row.chunk_count),
  }
  await recordEvent(trx, event(removed))
  return removed
}
