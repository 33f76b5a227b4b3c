import type { FileChunk } from '@cairn/contract'
import type { Db, Tables, Trx } from '../../db/index.ts'
import { type NewEvent, recordEvent } from '../events/index.ts'
import { changeKnowledge, documentsChanged } from './store-changes.ts'
import { deleteRelationshipsOf } from './store-relationships.ts'
import { type DocumentKey, documentSweeper, hideDocuments } from './store-sweep.ts'

export type FileRow = Pick<
  Tables['documents'],
  'file_id' | 'filename' | 'size_bytes' | 'chunk_count' | 'pages' | 'scope_values' | 'created_at'
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

const fileColumns = [
  'file_id',
  'filename',
  'size_bytes',
  'chunk_count',
  'pages',
  'scope_values',
  'created_at',
] as const

/** HAS_CHUNK to each chunk and NEXT between them. */
export function linkCount(documents: number, chunks: number): number {
  return chunks === 0 ? 0 : 2 * chunks - documents
}

/**
 * Hides a document with its chunks, takes its relationships out and writes the event of it, inside of
 * `changeKnowledge`; to be swept behind it. Undefined when the chat has no such file.
 */
export async function removeDocument(
  trx: Trx,
  { projectId, ...key }: DocumentKey & { projectId: string },
  event: (file: RemovedFile) => NewEvent,
): Promise<RemovedFile | undefined> {
  const { chatId, fileId } = key
  const ofFile = trx.selectFrom('documents').select(fileColumns)
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

    /** The chunks of a file from that place in it on, in order. */
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

    /** The place of a chunk in its file; undefined when the file has no such chunk. */
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

    /** All or nothing. Of two at once, the second finds nothing: undefined. */
    async remove(
      chatId: string,
      fileId: string,
      event: (file: RemovedFile) => NewEvent,
    ): Promise<RemovedFile | undefined> {
      const removed = await changeKnowledge(db, chatId, (trx, projectId) =>
        removeDocument(trx, { chatId, fileId, projectId }, event),
      )
      if (removed) await documentSweeper(db).sweepHidden([{ chatId, fileId }])
      return removed
    },
  }
}
