import type { ScopeValues } from '@cairn/contract'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Db, Tables } from '../../db/index.ts'
import { newId } from '../../lib/ids.ts'
import { eventStatements, hasEvent, type NewEvent } from '../events/index.ts'
import {
  afterEmbedding,
  type DocumentEmbedding,
  embeddingRows,
  type StoredSegment,
  segmentRow,
} from '../retrieval/index.ts'
import type { Chunk } from './chunking.ts'
import { afterInsert } from './store-changes.ts'

export interface NewDocument {
  chatId: string
  fileId: string
  filename: string
  /** Of the uploaded bytes; empty for a text that was not uploaded: nothing is a duplicate of it. */
  sha256: string
  sizeBytes: number
  scopeValues: ScopeValues
  createdMs: number
  text: string
  chunks: readonly Chunk[]
  segment: StoredSegment
  /** The chunks' vectors, where an embedding model is configured. */
  embedding: DocumentEmbedding | undefined
}

export interface DocumentRow {
  file_id: string
  filename: string
  size_bytes: number
  chunk_count: number
  scope_values: string
  created_at: number
}

export type DocumentStore = ReturnType<typeof createDocumentStore>

const documentColumns = [
  'file_id',
  'filename',
  'size_bytes',
  'chunk_count',
  'scope_values',
  'created_at',
] as const

const chunkColumns = [
  'chat_id',
  'chunk_id',
  'file_id',
  'chunk_order',
  'start_offset',
  'end_offset',
  'page',
  'heading_path',
  'text',
] as const

function chunkRows({ chatId, fileId, chunks }: NewDocument, chunkIds: readonly string[]) {
  return chunks.map((chunk, index) => [
    chatId,
    chunkIds[index] ?? '',
    fileId,
    chunk.order,
    chunk.start,
    chunk.end,
    chunk.page,
    JSON.stringify(chunk.headingPath),
    chunk.text,
  ])
}

/**
 * HAS_CHUNK from the document to each chunk, NEXT from each chunk to the one after it. Made in the database from the
 * chunks that it has just got, and with ids out of theirs: there are twice as many of them as of chunks.
 */
function relationshipStatements(db: Kysely<Tables>, chatId: string, fileId: string): CompiledQuery[] {
  const columns = ['chat_id', 'relationship_id', 'source_id', 'target_id', 'type', 'properties'] as const
  const idOf = (ending: string) =>
    sql<string>`${sql.lit('rel_')} || substr(chunk.chunk_id, ${sql.lit('chk_'.length + 1)}) || ${sql.lit(ending)}`
  const chunks = db
    .selectFrom('chunks as chunk')
    .where('chunk.chat_id', '=', chatId)
    .where('chunk.file_id', '=', fileId)
  const properties = sql<string>`${sql.lit('{}')}`.as('properties')
  const hasChunk = chunks.select([
    'chunk.chat_id',
    idOf('c').as('relationship_id'),
    'chunk.file_id as source_id',
    'chunk.chunk_id as target_id',
    sql<string>`${sql.lit('HAS_CHUNK')}`.as('type'),
    properties,
  ])
  const next = chunks
    .innerJoin('chunks as following', (join) =>
      join
        .onRef('following.chat_id', '=', 'chunk.chat_id')
        .onRef('following.file_id', '=', 'chunk.file_id')
        .on((eb) => eb('following.chunk_order', '=', eb('chunk.chunk_order', '+', 1))),
    )
    .select([
      'chunk.chat_id',
      idOf('n').as('relationship_id'),
      'chunk.chunk_id as source_id',
      'following.chunk_id as target_id',
      sql<string>`${sql.lit('NEXT')}`.as('type'),
      properties,
    ])
  return [hasChunk, next].map((rows) =>
    db.insertInto('relationships').columns(columns).expression(rows).compile(),
  )
}

export function createDocumentStore(db: Db) {
  return {
    /** The project that a chat belongs to. */
    async findProject(chatId: string): Promise<string | undefined> {
      const chat = db.read.selectFrom('chats').select('project_id').where('chat_id', '=', chatId)
      return (await chat.executeTakeFirst())?.project_id
    },

    /**
     * The document with its text, chunks and relationships, the chat's new index version and the event of it: all or
     * nothing.
     */
    insert(document: NewDocument, event?: NewEvent): Promise<void> {
      const { chatId, fileId, filename, sha256, sizeBytes, chunks, scopeValues, createdMs, text, embedding } =
        document
      const chunkIds = chunks.map(() => newId('chk_', createdMs))
      return db.insertAll(
        [
          {
            table: 'documents',
            columns: ['chat_id', 'sha256', ...documentColumns],
            rows: [
              [
                chatId,
                sha256,
                fileId,
                filename,
                sizeBytes,
                chunks.length,
                JSON.stringify(scopeValues),
                createdMs,
              ],
            ],
          },
          {
            table: 'document_texts',
            columns: ['chat_id', 'file_id', 'text'],
            rows: [[chatId, fileId, text]],
          },
          { table: 'chunks', columns: chunkColumns, rows: chunkRows(document, chunkIds) },
          segmentRow({ chatId, fileId, chunkIds, segment: document.segment }),
          ...(embedding ? embeddingRows(chatId, fileId, embedding) : []),
        ],
        [
          ...relationshipStatements(db.read, chatId, fileId),
          ...afterInsert(db.read, chatId, fileId),
          ...(embedding ? afterEmbedding(db.read, chatId, fileId, embedding.spaceId) : []),
          ...(event ? eventStatements(db.read, event) : []),
        ],
      )
    },

    /** The chat that has a node of this id, if any has; with what it says when that is a document. */
    async findHolder(id: string) {
      const document = await db.read
        .selectFrom('documents')
        .innerJoin('document_texts', (join) =>
          join
            .onRef('document_texts.chat_id', '=', 'documents.chat_id')
            .onRef('document_texts.file_id', '=', 'documents.file_id'),
        )
        .select(['documents.chat_id', 'documents.filename', 'documents.chunk_count', 'document_texts.text'])
        .where('documents.file_id', '=', id)
        .executeTakeFirst()
      if (document) return { chatId: document.chat_id, document }
      const chunk = db.read.selectFrom('chunks').select('chat_id').where('chunk_id', '=', id)
      const found = await chunk.executeTakeFirst()
      return found && { chatId: found.chat_id, document: undefined }
    },

    /** Whether a file has this id, or had it and was deleted since a moment in the second that the id names. */
    async isUsed(projectId: string, fileId: string, nowMs: number): Promise<boolean> {
      const holder = db.read.selectFrom('documents').select('file_id').where('file_id', '=', fileId)
      if (await holder.executeTakeFirst()) return true
      const sinceMs = Math.floor(nowMs / 1000) * 1000
      return hasEvent(db, { projectId, type: 'file_deleted', sinceMs, says: `"file_id":"${fileId}"` })
    },

    /** The newest document of the same bytes and scope values since a moment, if there is one. */
    findTwin(
      chatId: string,
      sha256: string,
      scopeValues: ScopeValues,
      sinceMs: number,
    ): Promise<DocumentRow | undefined> {
      return db.read
        .selectFrom('documents')
        .select(documentColumns)
        .where('chat_id', '=', chatId)
        .where('sha256', '=', sha256)
        .where('scope_values', '=', JSON.stringify(scopeValues))
        .where('created_at', '>=', sinceMs)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
    },
  }
}
