import type { Db, Trx } from '../../db/index.ts'
import { newId } from '../../lib/ids.ts'
import { deleteRelationshipsMadeFrom, insertRelationships, withLockedChat } from '../documents/index.ts'
import type { MadeRelation, Passage } from './types.ts'

/** A document as of a version. */
export interface DocumentToRelate {
  filename: string
  version: number
  /** In order. */
  chunkIds: string[]
  passages: Passage[]
}

/** Rows that are read or written at a time: preparing more would hold up the event loop. */
const rowsAtOnce = 200

export type RelatingStore = ReturnType<typeof createRelatingStore>

function propertiesOf({ confidence, method, ...more }: MadeRelation): string {
  const model = 'model' in more && { model: more.model }
  return JSON.stringify({ confidence, ai_generated: true, method, ...model })
}

/** Puts the relations of a document behind those that are there. */
async function insertRelations(
  trx: Trx,
  { chatId, fileId, chunkIds }: { chatId: string; fileId: string; chunkIds: readonly string[] },
  relations: readonly MadeRelation[],
): Promise<void> {
  for (let from = 0; from < relations.length; from += rowsAtOnce) {
    const rows = relations.slice(from, from + rowsAtOnce).map((relation) => ({
      chat_id: chatId,
      relationship_id: newId('rel_'),
      source_id: chunkIds[relation.source] ?? '',
      target_id: chunkIds[relation.target] ?? '',
      type: relation.type,
      properties: propertiesOf(relation),
      file_id: fileId,
    }))
    await insertRelationships(trx, rows)
  }
}

export function createRelatingStore(db: Db) {
  async function chunksFrom(chatId: string, fileId: string, order: number) {
    return db.read
      .selectFrom('chunks')
      .select(['chunk_id', 'text', 'heading_path'])
      .where('chat_id', '=', chatId)
      .where('file_id', '=', fileId)
      .where('chunk_order', '>=', order)
      .orderBy('chunk_order')
      .limit(rowsAtOnce)
      .execute()
  }

  return {
    /** Undefined when it is gone. What changes while this reads has a later version than the one answered. */
    async read(chatId: string, fileId: string): Promise<DocumentToRelate | undefined> {
      const document = await db.read
        .selectFrom('document_segments as segments')
        .innerJoin('documents', (join) =>
          join
            .onRef('documents.chat_id', '=', 'segments.chat_id')
            .onRef('documents.file_id', '=', 'segments.file_id'),
        )
        .select(['segments.version', 'documents.filename'])
        .where('segments.chat_id', '=', chatId)
        .where('segments.file_id', '=', fileId)
        .executeTakeFirst()
      if (!document) return undefined
      const found: DocumentToRelate = { ...document, chunkIds: [], passages: [] }
      for (;;) {
        const rows = await chunksFrom(chatId, fileId, found.chunkIds.length)
        for (const { chunk_id, text, heading_path } of rows) {
          found.chunkIds.push(chunk_id)
          found.passages.push({ text, headingPath: JSON.parse(heading_path) as string[] })
        }
        if (rows.length < rowsAtOnce) return found
      }
    },

    /**
     * Puts relations in the place of those that were made from the document before. Nothing happens when the document
     * has changed since it was read: the change has asked for a job of its own.
     */
    async replace(
      chatId: string,
      fileId: string,
      { version, chunkIds }: DocumentToRelate,
      relations: readonly MadeRelation[],
    ): Promise<void> {
      await withLockedChat(db, chatId, async (trx) => {
        const unchanged = await trx
          .selectFrom('document_segments')
          .select('version')
          .where('chat_id', '=', chatId)
          .where('file_id', '=', fileId)
          .where('version', '=', version)
          .executeTakeFirst()
        if (!unchanged) return
        await deleteRelationshipsMadeFrom(trx, chatId, fileId)
        await insertRelations(trx, { chatId, fileId, chunkIds }, relations)
      })
    },
  }
}
