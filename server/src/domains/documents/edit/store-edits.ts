import type { Db, Tables, Trx } from '../../../db/index.ts'
import type { NewEvent } from '../../events/index.ts'
import type { DocumentSweeper } from '../delete/index.ts'
import { type RemovedFile, removeDocument } from '../delete/index.ts'
import { documentsChanged, withLockedChat } from '../store-changes.ts'
import { deleteRelationshipsOf, forgetNextProperties } from '../store-relationships.ts'
import { mergeProperties, type PropertyChanges } from './properties.ts'

export interface DocumentEdit {
  /** Returns the new file name for the current one. */
  rename?: (filename: string) => string
  properties: PropertyChanges
}

export interface ChunkEdit {
  text?: string
  properties: PropertyChanges
}

export interface RemovedChunk {
  fileId: string
  relationshipCount: number
  /** The document, if it was deleted with its last chunk. */
  document?: RemovedFile
}

export type EditStore = ReturnType<typeof createEditStore>

type ChunkRow = Tables['chunks']

function findChunk(trx: Trx, chatId: string, chunkId: string): Promise<ChunkRow | undefined> {
  const query = trx.selectFrom('chunks').selectAll().where('chat_id', '=', chatId)
  return query.where('chunk_id', '=', chunkId).executeTakeFirst()
}

interface TextPart {
  part: number
  text: string
}

/**
 * The parts of a text that change when a range is replaced. The replacement goes into the part where the range
 * begins.
 */
function replacedParts(
  parts: readonly TextPart[],
  start: number,
  end: number,
  replacement: string,
): TextPart[] {
  const changed: TextPart[] = []
  let at = 0
  for (const { part, text } of parts) {
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, text.length)]
    const begins = start >= at && start < at + text.length
    if (from < to || begins) {
      changed.push({
        part,
        text: text.slice(0, from) + (begins ? replacement : '') + text.slice(Math.max(from, to)),
      })
    }
    at += text.length
  }
  return changed
}

/**
 * Replaces a chunk's range in its document's text, and shifts the ranges of all later chunks. The caller updates or
 * deletes the chunk itself.
 */
async function replaceRange(trx: Trx, chunk: ChunkRow, replacement: string): Promise<void> {
  const { chat_id, file_id, chunk_order, start_offset, end_offset } = chunk
  const parts = await trx
    .selectFrom('document_text_parts')
    .select(['part', 'text'])
    .where('chat_id', '=', chat_id)
    .where('file_id', '=', file_id)
    .orderBy('part')
    .execute()
  for (const { part, text } of replacedParts(parts, start_offset, end_offset, replacement)) {
    await trx
      .updateTable('document_text_parts')
      .set({ text })
      .where('chat_id', '=', chat_id)
      .where('file_id', '=', file_id)
      .where('part', '=', part)
      .execute()
  }
  const shift = replacement.length - (end_offset - start_offset)
  await trx
    .updateTable('chunk_rows')
    .set((eb) => ({
      start_offset: eb('start_offset', '+', shift),
      end_offset: eb('end_offset', '+', shift),
    }))
    .where('chat_id', '=', chat_id)
    .where('file_id', '=', file_id)
    .where('chunk_order', '>', chunk_order)
    .execute()
}

/** Clears the hash, so that uploading the original bytes again is not a duplicate, and updates the chunk count. */
async function markEdited(trx: Trx, { chat_id, file_id }: ChunkRow): Promise<void> {
  await trx
    .updateTable('document_rows')
    .set((eb) => ({
      sha256: '',
      chunk_count: eb
        .selectFrom('chunks')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('chat_id', '=', chat_id)
        .where('file_id', '=', file_id),
    }))
    .where('chat_id', '=', chat_id)
    .where('file_id', '=', file_id)
    .execute()
  await documentsChanged(trx, chat_id, [file_id])
}

/**
 * Deletes the chunk's stored relationships, and returns how many relationships are lost in total. NEXT follows from the
 * order of the chunks, so the previous chunk then points to the following one. If the chunk is the last one, the
 * properties of the NEXT that points to it are deleted; properties of its own NEXT cascade with its row.
 */
async function unlink(trx: Trx, { chat_id, chunk_id, file_id, chunk_order }: ChunkRow): Promise<number> {
  const removed = await deleteRelationshipsOf(trx, chat_id, [chunk_id])
  const neighbours = () =>
    trx
      .selectFrom('chunk_rows')
      .select('chunk_id')
      .where('chat_id', '=', chat_id)
      .where('file_id', '=', file_id)
  const next = await neighbours()
    .where('chunk_order', '=', chunk_order + 1)
    .executeTakeFirst()
  if (!next) {
    await forgetNextProperties(trx, chat_id, neighbours().where('chunk_order', '=', chunk_order - 1))
  }
  // Plus its HAS_CHUNK, and one NEXT: the document has other chunks, so this one has a neighbour.
  return removed + 2
}

/** Renumbers the chunks after a gap, through negative numbers, because the unique index is checked for each row. */
async function closeGap(trx: Trx, { chat_id, file_id, chunk_order }: ChunkRow): Promise<void> {
  const ofFile = () =>
    trx.updateTable('chunk_rows').where('chat_id', '=', chat_id).where('file_id', '=', file_id)
  await ofFile()
    .set((eb) => ({ chunk_order: eb.neg(eb.ref('chunk_order')) }))
    .where('chunk_order', '>', chunk_order)
    .execute()
  await ofFile()
    .set((eb) => ({ chunk_order: eb(eb.neg(eb.ref('chunk_order')), '-', 1) }))
    .where('chunk_order', '<', 0)
    .execute()
}

async function removeOneOfMany(trx: Trx, chunk: ChunkRow): Promise<RemovedChunk> {
  const { chat_id, chunk_id, file_id } = chunk
  const relationshipCount = await unlink(trx, chunk)
  await replaceRange(trx, chunk, '')
  await trx.deleteFrom('chunk_rows').where('chat_id', '=', chat_id).where('chunk_id', '=', chunk_id).execute()
  await closeGap(trx, chunk)
  await markEdited(trx, chunk)
  return { fileId: file_id, relationshipCount }
}

async function isOnly(trx: Trx, { chat_id, file_id, chunk_id }: ChunkRow): Promise<boolean> {
  const others = trx.selectFrom('chunks').select('chunk_id').where('chat_id', '=', chat_id)
  const other = others.where('file_id', '=', file_id).where('chunk_id', '<>', chunk_id).limit(1)
  return (await other.executeTakeFirst()) === undefined
}

/** Changes of single nodes. Each is one transaction. */
export function createEditStore(db: Db, sweeper: DocumentSweeper) {
  return {
    /** Returns false if the chat has no such document. */
    async updateDocument(
      chatId: string,
      fileId: string,
      { rename, properties }: DocumentEdit,
    ): Promise<boolean> {
      const done = await withLockedChat(db, chatId, async (trx) => {
        const row = await trx
          .selectFrom('documents')
          .select(['filename', 'properties'])
          .where('chat_id', '=', chatId)
          .where('file_id', '=', fileId)
          .executeTakeFirst()
        if (!row) return false
        const filename = rename?.(row.filename) ?? row.filename
        await trx
          .updateTable('document_rows')
          .set({ filename, properties: mergeProperties(row.properties, properties) })
          .where('chat_id', '=', chatId)
          .where('file_id', '=', fileId)
          .execute()
        if (filename !== row.filename) await documentsChanged(trx, chatId, [fileId])
        return true
      })
      return done ?? false
    },

    /** Returns false if the chat has no such chunk. */
    async updateChunk(chatId: string, chunkId: string, { text, properties }: ChunkEdit): Promise<boolean> {
      const done = await withLockedChat(db, chatId, async (trx) => {
        const chunk = await findChunk(trx, chatId, chunkId)
        if (!chunk) return false
        const changed = text !== undefined && text !== chunk.text ? text : undefined
        await trx
          .updateTable('chunk_rows')
          .set({
            properties: mergeProperties(chunk.properties, properties),
            ...(changed !== undefined && { text: changed, end_offset: chunk.start_offset + changed.length }),
          })
          .where('chat_id', '=', chatId)
          .where('chunk_id', '=', chunkId)
          .execute()
        if (changed === undefined) return true
        await replaceRange(trx, chunk, changed)
        await markEdited(trx, chunk)
        return true
      })
      return done ?? false
    },

    /** Deleting the last chunk deletes the document and writes `event`. Returns undefined if there is no such chunk. */
    async removeChunk(
      chatId: string,
      chunkId: string,
      event: (fileId: string, file: RemovedFile) => NewEvent,
    ): Promise<RemovedChunk | undefined> {
      const removed = await withLockedChat(
        db,
        chatId,
        async (trx, projectId): Promise<RemovedChunk | undefined> => {
          const chunk = await findChunk(trx, chatId, chunkId)
          if (!chunk) return undefined
          if (!(await isOnly(trx, chunk))) return removeOneOfMany(trx, chunk)
          const { file_id: fileId } = chunk
          const file = { chatId, fileId, projectId }
          const document = await removeDocument(trx, file, (removed) => event(fileId, removed))
          return document && { fileId, relationshipCount: document.relationshipCount, document }
        },
      )
      if (removed?.document) await sweeper.sweepHidden([{ chatId, fileId: removed.fileId }])
      return removed
    },
  }
}
