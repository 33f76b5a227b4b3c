import type { GraphRelationship, RelationshipType } from '@cairn/contract'
import type { Db } from '../../db/index.ts'

export type GraphStore = ReturnType<typeof createGraphStore>

export function createGraphStore(db: Db) {
  return {
    documents(chatId: string) {
      return db.read
        .selectFrom('documents')
        .select(['file_id', 'filename', 'created_at', 'size_bytes'])
        .where('chat_id', '=', chatId)
        .orderBy('created_at')
        .orderBy('file_id')
        .execute()
    },

    chunks(chatId: string) {
      return db.read
        .selectFrom('chunks')
        .select(['chunk_id', 'text'])
        .where('chat_id', '=', chatId)
        .orderBy('file_id')
        .orderBy('chunk_order')
        .execute()
    },

    async relationships(chatId: string): Promise<GraphRelationship[]> {
      const rows = await db.read
        .selectFrom('relationships')
        .selectAll()
        .where('chat_id', '=', chatId)
        .orderBy('relationship_id')
        .execute()
      return rows.map((row) => ({
        id: row.relationship_id,
        source: row.source_id,
        target: row.target_id,
        type: row.type as RelationshipType,
        properties: JSON.parse(row.properties) as Record<string, unknown>,
      }))
    },
  }
}
