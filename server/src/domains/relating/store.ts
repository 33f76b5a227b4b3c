import type { Db, Trx } from '../../db/index.ts'
import { newId } from '../../lib/ids.ts'
import { deleteRelationshipsMadeFrom, insertRelationships, withLockedChat } from '../documents/index.ts'
import type { Passage, SourcedRelation } from './types.ts'

/** A document at a version; chunk ids and passages are in the order of the text. */
export interface DocumentToRelate {
  filename: string
  version: number
  chunkIds: string[]
  passages: Passage[]
}

/** Rows per statement; preparing more would block the event loop. */
const rowsPerStatement = 200

export type RelatingStore = ReturnType<typeof createRelatingStore>

function propertiesOf({ confidence, method, ...more }: SourcedRelation): string {
  const model = 'model' in more && { model: more.model }
  return JSON.stringify({ confidence, ai_generated: true, method, ...model })
}

async function insertRelations(
  trx: Trx,
  { chatId, fileId, chunkIds }: { chatId: string; fileId: string; chunkIds: readonly string[] },
  relations: readonly SourcedRelation[],
): Promise<void> {
  for (let from = 0; from < relations.length; from += rowsPerStatement) {
    const rows = relations.slice(from, from + rowsPerStatement).map((relation) => ({
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
      .limit(rowsPerStatement)
      .execute()
  }

  return {
    /**
     * Returns undefined if the document was deleted. The version is read first, so a change during the read has a later
     * version, and `replace` then does nothing.
     */
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
        if (rows.length < rowsPerStatement) return found
      }
    },

    /**
     * Replaces the relationships that earlier jobs created from the document. Does nothing if the document has
     * changed since it was read, because the change has queued a job of its own.
     */
    async replace(
      chatId: string,
      fileId: string,
      { version, chunkIds }: DocumentToRelate,
      relations: readonly SourcedRelation[],
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
