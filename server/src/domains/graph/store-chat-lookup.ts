import type { Db } from '../../db/index.ts'
import { linkOf } from './links.ts'

/**
 * Finds the chat of a file, node or relationship by its id alone, for authorization. These ids are unique on the
 * server. Each function returns undefined for an unknown id.
 */
export function createChatLookupStore(db: Db) {
  async function ofFile(fileId: string): Promise<string | undefined> {
    const query = db.read.selectFrom('documents').select('chat_id').where('file_id', '=', fileId)
    return (await query.executeTakeFirst())?.chat_id
  }

  async function ofChunk(chunkId: string): Promise<string | undefined> {
    const query = db.read.selectFrom('chunks').select('chat_id').where('chunk_id', '=', chunkId)
    return (await query.executeTakeFirst())?.chat_id
  }

  return {
    file: ofFile,

    async node(nodeId: string): Promise<string | undefined> {
      return (await ofFile(nodeId)) ?? ofChunk(nodeId)
    },

    async relationship(relationshipId: string): Promise<string | undefined> {
      // The id of a HAS_CHUNK or NEXT contains the id of a chunk. Ids of stored relationships can look the same.
      const link = linkOf(relationshipId)
      const chatId = link && (await ofChunk(link.chunkId))
      if (chatId !== undefined) return chatId
      const query = db.read
        .selectFrom('relationships')
        .select('chat_id')
        .where('relationship_id', '=', relationshipId)
      return (await query.executeTakeFirst())?.chat_id
    },
  }
}
