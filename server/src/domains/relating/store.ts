import { type Db, insertRows } from '../../db/index.ts'
import { newId } from '../../lib/ids.ts'
import { changeKnowledge } from '../documents/index.ts'
import type { MadeRelation, Passage } from './types.ts'

/** A document as of a version. */
export interface DocumentToRelate {
  filename: string
  version: number
  /** In order. */
  chunkIds: string[]
  passages: Passage[]
}

export type RelatingStore = ReturnType<typeof createRelatingStore>

function propertiesOf({ confidence, method, ...more }: MadeRelation): string {
  const model = 'model' in more && { model: more.model }
  return JSON.stringify({ confidence, ai_generated: true, method, ...model })
}

export function createRelatingStore(db: Db) {
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
      const chunks = await db.read
        .selectFrom('chunks')
        .select(['chunk_id', 'text', 'heading_path'])
        .where('chat_id', '=', chatId)
        .where('file_id', '=', fileId)
        .orderBy('chunk_order')
        .execute()
      return {
        ...document,
        chunkIds: chunks.map(({ chunk_id }) => chunk_id),
        passages: chunks.map(({ text, heading_path }) => ({
          text,
          headingPath: JSON.parse(heading_path) as string[],
        })),
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
      await changeKnowledge(db, chatId, async (trx) => {
        const unchanged = await trx
          .selectFrom('document_segments')
          .select('version')
          .where('chat_id', '=', chatId)
          .where('file_id', '=', fileId)
          .where('version', '=', version)
          .executeTakeFirst()
        if (!unchanged) return
        await trx
          .deleteFrom('relationships')
          .where('chat_id', '=', chatId)
          .where('file_id', '=', fileId)
          .execute()
        await insertRows(trx, {
          table: 'relationships',
          columns: ['chat_id', 'relationship_id', 'source_id', 'target_id', 'type', 'properties', 'file_id'],
          rows: relations.map((relation) => [
            chatId,
            newId('rel_'),
            chunkIds[relation.source] ?? '',
            chunkIds[relation.target] ?? '',
            relation.type,
            propertiesOf(relation),
            fileId,
          ]),
        })
      })
    },
  }
}
