import type { ScopeValues } from '@cairn/contract'
import type { Db } from '../../db/index.ts'
import type { ChunkFields, StoredSegment } from './segments/index.ts'

export interface ChunkText {
  chunk_id: string
  file_id: string
  filename: string
  text: string
}

/** A document as the index finds it in the database. */
export interface StoredDocument {
  fileId: string
  filename: string
  scopeValues: ScopeValues
  /** The chat's index version when it was last changed. */
  version: number
  /** Null when there is none yet, or none any more. */
  segment: StoredSegment | null
  chunkIds: string[]
}

export type RetrievalStore = ReturnType<typeof createRetrievalStore>

export function createRetrievalStore(db: Db) {
  return {
    /** The counter that every write of the chat's knowledge bumps; undefined when there is no chat. */
    async indexVersion(chatId: string): Promise<number | undefined> {
      const row = await db.read
        .selectFrom('chats')
        .select('index_version')
        .where('chat_id', '=', chatId)
        .executeTakeFirst()
      return row?.index_version
    },

    /** The documents that were added or changed after a version of the index; all of them after -1. */
    async documentsSince(chatId: string, version: number): Promise<StoredDocument[]> {
      const rows = await db.read
        .selectFrom('document_segments as segments')
        .innerJoin('documents', (join) =>
          join
            .onRef('documents.chat_id', '=', 'segments.chat_id')
            .onRef('documents.file_id', '=', 'segments.file_id'),
        )
        .select(['segments.file_id', 'version', 'format', 'segment', 'chunk_ids', 'filename', 'scope_values'])
        .where('segments.chat_id', '=', chatId)
        .where('version', '>', version)
        .execute()
      return rows.map((row) => ({
        fileId: row.file_id,
        filename: row.filename,
        scopeValues: JSON.parse(row.scope_values) as ScopeValues,
        version: row.version,
        segment: row.segment && { format: row.format, bytes: row.segment },
        chunkIds: row.chunk_ids === '' ? [] : row.chunk_ids.split(' '),
      }))
    },

    async countDocuments(chatId: string): Promise<number> {
      const { count } = await db.read
        .selectFrom('document_segments')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('chat_id', '=', chatId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async fileIds(chatId: string): Promise<string[]> {
      const rows = await db.read
        .selectFrom('document_segments')
        .select('file_id')
        .where('chat_id', '=', chatId)
        .execute()
      return rows.map(({ file_id }) => file_id)
    },

    /** What is searched of a document's chunks, and their ids, in order. */
    async chunksOf(chatId: string, fileId: string): Promise<{ chunkId: string; fields: ChunkFields }[]> {
      const rows = await db.read
        .selectFrom('chunks')
        .select(['chunk_id', 'text', 'heading_path'])
        .where('chat_id', '=', chatId)
        .where('file_id', '=', fileId)
        .orderBy('chunk_order')
        .execute()
      return rows.map(({ chunk_id, text, heading_path }) => ({
        chunkId: chunk_id,
        fields: { text, headingPath: JSON.parse(heading_path) as string[] },
      }))
    },

    /** Keeps a segment that was made anew, unless the document has changed meanwhile. */
    async saveSegment(chatId: string, document: StoredDocument): Promise<void> {
      const { fileId, version, segment, chunkIds } = document
      await db.transaction((trx) =>
        trx
          .updateTable('document_segments')
          .set({
            format: segment?.format ?? 0,
            segment: segment?.bytes ?? null,
            chunk_ids: chunkIds.join(' '),
          })
          .where('chat_id', '=', chatId)
          .where('file_id', '=', fileId)
          .where('version', '=', version)
          .execute(),
      )
    },

    /** The texts of chunks, in any order; one that was deleted meanwhile is missing. */
    chunkTexts(chatId: string, chunkIds: readonly string[]): Promise<ChunkText[]> {
      return db.read
        .selectFrom('chunks')
        .innerJoin('documents', (join) =>
          join
            .onRef('documents.chat_id', '=', 'chunks.chat_id')
            .onRef('documents.file_id', '=', 'chunks.file_id'),
        )
        .select(['chunks.chunk_id', 'chunks.file_id', 'documents.filename', 'chunks.text'])
        .where('chunks.chat_id', '=', chatId)
        .where('chunks.chunk_id', 'in', chunkIds)
        .execute()
    },
  }
}
