import type { GraphRelationship, RelationshipType } from '@cairn/contract'
import type { Db, Tables } from '../../db/index.ts'

export type GraphStore = ReturnType<typeof createGraphStore>

export type DocumentNode = Pick<
  Tables['documents'],
  'file_id' | 'filename' | 'created_at' | 'size_bytes' | 'properties'
>
export type ChunkNode = Pick<Tables['chunks'], 'chunk_id' | 'text' | 'properties'>

type RelationshipRow = Tables['relationships'] & { chunk_order: number | null }

/** The order of a HAS_CHUNK relationship is that of its chunk, whatever is stored. */
function toRelationship(row: RelationshipRow): GraphRelationship {
  const order = row.type === 'HAS_CHUNK' && row.chunk_order !== null && { order: row.chunk_order }
  return {
    id: row.relationship_id,
    source: row.source_id,
    target: row.target_id,
    type: row.type as RelationshipType,
    properties: { ...order, ...(JSON.parse(row.properties) as Record<string, unknown>), ...order },
  }
}

export function createGraphStore(db: Db) {
  function documentsOf(chatId: string) {
    return db.read
      .selectFrom('documents')
      .select(['file_id', 'filename', 'created_at', 'size_bytes', 'properties'])
      .where('chat_id', '=', chatId)
  }

  function chunksOf(chatId: string) {
    return db.read
      .selectFrom('chunks')
      .select(['chunk_id', 'text', 'properties'])
      .where('chat_id', '=', chatId)
  }

  function relationshipsOf(chatId: string) {
    return db.read
      .selectFrom('relationships')
      .leftJoin('chunks', (join) =>
        join
          .onRef('chunks.chat_id', '=', 'relationships.chat_id')
          .onRef('chunks.chunk_id', '=', 'relationships.target_id')
          .on('relationships.type', '=', 'HAS_CHUNK'),
      )
      .selectAll('relationships')
      .select('chunks.chunk_order')
      .where('relationships.chat_id', '=', chatId)
  }

  return {
    documents(chatId: string): Promise<DocumentNode[]> {
      return documentsOf(chatId).orderBy('created_at').orderBy('file_id').execute()
    },

    chunks(chatId: string): Promise<ChunkNode[]> {
      return chunksOf(chatId).orderBy('file_id').orderBy('chunk_order').execute()
    },

    async relationships(chatId: string): Promise<GraphRelationship[]> {
      const rows = await relationshipsOf(chatId).orderBy('relationship_id').execute()
      return rows.map(toRelationship)
    },

    findDocument(chatId: string, fileId: string): Promise<DocumentNode | undefined> {
      return documentsOf(chatId).where('file_id', '=', fileId).executeTakeFirst()
    },

    findChunk(chatId: string, chunkId: string): Promise<ChunkNode | undefined> {
      return chunksOf(chatId).where('chunk_id', '=', chunkId).executeTakeFirst()
    },

    async findRelationship(chatId: string, relationshipId: string): Promise<GraphRelationship | undefined> {
      const row = await relationshipsOf(chatId)
        .where('relationship_id', '=', relationshipId)
        .executeTakeFirst()
      return row && toRelationship(row)
    },
  }
}
