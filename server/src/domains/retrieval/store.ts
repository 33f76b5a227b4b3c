import type { ScopeValues } from '@cairn/contract'
import type { Db } from '../../db/index.ts'
import type { IndexDocument } from './chat-index.ts'

export interface ChunkText {
  chunk_id: string
  file_id: string
  filename: string
  text: string
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

    /** All that the chat's index is built from. */
    async loadDocuments(chatId: string): Promise<IndexDocument[]> {
      const documents = await db.read
        .selectFrom('documents')
        .select(['file_id', 'filename', 'scope_values'])
        .where('chat_id', '=', chatId)
        .orderBy('created_at')
        .orderBy('file_id')
        .execute()
      const chunks = await db.read
        .selectFrom('chunks')
        .select(['chunk_id', 'file_id', 'chunk_order', 'heading_path', 'text'])
        .where('chat_id', '=', chatId)
        .orderBy('file_id')
        .orderBy('chunk_order')
        .execute()
      const byFile = Map.groupBy(chunks, (chunk) => chunk.file_id)
      return documents.map(({ file_id, filename, scope_values }) => ({
        fileId: file_id,
        filename,
        scopeValues: JSON.parse(scope_values) as ScopeValues,
        chunks: (byFile.get(file_id) ?? []).map((chunk) => ({
          chunkId: chunk.chunk_id,
          order: chunk.chunk_order,
          text: chunk.text,
          headingPath: JSON.parse(chunk.heading_path) as string[],
        })),
      }))
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
