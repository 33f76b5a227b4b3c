import type { ScopeValues } from '@cairn/contract'
import type { Db } from '../../db/index.ts'
import type { ChunkFields, StoredSegment } from './segments/index.ts'

/** Where a chunk is in its document. */
export interface ChunkPlace {
  /** The position in the file, from 0. */
  order: number
  /** The page on which it begins, from 1; null for files without pages. */
  page: number | null
  /** The characters of the document's text. */
  start: number
  end: number
  /** Titles of the headings above it, outermost first. */
  headings: string[]
}

interface ChunkText {
  chunk_id: string
  file_id: string
  filename: string
  text: string
  place: ChunkPlace
}

/** A document as stored for the index. */
export interface StoredDocument {
  fileId: string
  filename: string
  scopeValues: ScopeValues
  /** The chat's index version at the document's last change. */
  version: number
  /** Null if it must be made (again), after an edit. */
  segment: StoredSegment | null
  chunkIds: string[]
}

export type RetrievalStore = ReturnType<typeof createRetrievalStore>

export function createRetrievalStore(db: Db) {
  return {
    /** The counter that every change of a chat's documents or vectors raises; undefined for an unknown chat. */
    async indexVersion(chatId: string): Promise<number | undefined> {
      const row = await db.read
        .selectFrom('chats')
        .select('index_version')
        .where('chat_id', '=', chatId)
        .executeTakeFirst()
      return row?.index_version
    },

    /** The documents that were added or changed after an index version; -1 returns all. */
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

    /** The ids and searchable fields of a document's chunks, in order. */
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

    /** Stores a segment that was made again, unless the document has changed meanwhile. */
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

    /** The texts of chunks, in any order; deleted chunks are missing. */
    async chunkTexts(chatId: string, chunkIds: readonly string[]): Promise<ChunkText[]> {
      const rows = await db.read
        .selectFrom('chunks')
        .innerJoin('documents', (join) =>
          join
            .onRef('documents.chat_id', '=', 'chunks.chat_id')
            .onRef('documents.file_id', '=', 'chunks.file_id'),
        )
        .select(['chunks.chunk_id', 'chunks.file_id', 'documents.filename', 'chunks.text'])
        .select([
          'chunk_order as order',
          'page',
          'start_offset as start',
          'end_offset as end',
          'heading_path',
        ])
        .where('chunks.chat_id', '=', chatId)
        .where('chunks.chunk_id', 'in', chunkIds)
        .execute()
      return rows.map(({ order, page, start, end, heading_path, ...row }) => ({
        ...row,
        place: { order, page, start, end, headings: JSON.parse(heading_path) as string[] },
      }))
    },
  }
}
