import type { Db, Trx } from '../../../db/index.ts'
import type { DeletionStep } from '../../../jobs/index.ts'
import { type NewEvent, recordEvents } from '../../events/index.ts'
import { documentsChanged, withLockedChat } from '../store-changes.ts'
import { deleteAllRelationships, relationshipDeletion } from '../store-relationships.ts'
import { linkCount, type RemovedFile } from './store-removal.ts'
import { type DocumentKey, type DocumentSweeper, hideDocuments } from './store-sweep.ts'

/** Counts of a chat's contents; `relationships` includes HAS_CHUNK and NEXT. */
export interface ContentCounts {
  documents: number
  chunks: number
  relationships: number
}

export type CleanupStore = ReturnType<typeof createCleanupStore>

/** Documents that one transaction of a chat's deletion hides. */
const documentsPerStep = 20

type DeletedEvent = (chatId: string, fileId: string, file: RemovedFile) => NewEvent

/** Reads documents of a chat, oldest first, for their `file_deleted` events. */
async function removedFiles(trx: Trx, chatId: string, projectId: string, fileIds?: readonly string[]) {
  const rows = await trx
    .selectFrom('documents')
    .select(['file_id', 'filename', 'size_bytes', 'chunk_count'])
    .where('chat_id', '=', chatId)
    .$if(fileIds !== undefined, (query) => query.where('file_id', 'in', fileIds ?? []))
    .orderBy('created_at')
    .orderBy('file_id')
    .execute()
  return rows.map(({ file_id, filename, size_bytes, chunk_count }) => ({
    fileId: file_id,
    file: { projectId, filename, sizeBytes: size_bytes, chunkCount: chunk_count, relationshipCount: 0 },
  }))
}

/** Hides every document of a chat, with an event for each; the caller sweeps the `hidden` documents. */
async function empty(
  trx: Trx,
  chatId: string,
  projectId: string,
  event: DeletedEvent,
): Promise<{ counts: ContentCounts; hidden: DocumentKey[] }> {
  const files = await removedFiles(trx, chatId, projectId)
  const chunks = files.reduce((sum, { file }) => sum + file.chunkCount, 0)
  const stored = await deleteAllRelationships(trx, chatId)
  const hidden = await hideDocuments(trx, chatId)
  await documentsChanged(trx, chatId, [])
  await recordEvents(
    trx,
    files.map(({ fileId, file }) => event(chatId, fileId, file)),
  )
  const relationships = stored + linkCount(files.length, chunks)
  return { counts: { documents: files.length, chunks, relationships }, hidden }
}

export function createCleanupStore(db: Db, sweeper: DocumentSweeper) {
  /** Deletes every document of the chat. Returns undefined if there is no such chat. */
  async function emptyChat(chatId: string, event: DeletedEvent): Promise<ContentCounts | undefined> {
    const done = await withLockedChat(db, chatId, (trx, projectId) => empty(trx, chatId, projectId, event))
    if (done) await sweeper.sweepHidden(done.hidden)
    return done?.counts
  }

  /** Some documents of a chat, in any state. */
  function someDocuments(chatId: string) {
    const rows = db.read.selectFrom('document_rows').select('file_id').where('chat_id', '=', chatId)
    return rows.orderBy('file_id').limit(documentsPerStep).execute()
  }

  return {
    empty: emptyChat,

    async countContents(chatId: string): Promise<ContentCounts> {
      const documents = await db.read
        .selectFrom('documents')
        .select(({ fn }) => [
          fn.countAll<number>().as('count'),
          fn.sum<number | null>('chunk_count').as('chunks'),
        ])
        .where('chat_id', '=', chatId)
        .executeTakeFirstOrThrow()
      const related = await db.read
        .selectFrom('relationships')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('chat_id', '=', chatId)
        .executeTakeFirstOrThrow()
      const [count, chunks] = [Number(documents.count), Number(documents.chunks ?? 0)]
      return { documents: count, chunks, relationships: Number(related.count) + linkCount(count, chunks) }
    },

    /** A step of the deletion of a chat. */
    deleteRelationships: relationshipDeletion(db),

    /**
     * A step of the deletion of a chat: deletes a few documents, with an event for each document that this step
     * hides. A private chat gets no events, because the deletion of its user also deletes the user's events.
     */
    async deleteDocuments(chatId: string, event: DeletedEvent): Promise<DeletionStep> {
      const ids = (await someDocuments(chatId)).map(({ file_id }) => file_id)
      if (ids.length === 0) return 'nothing'
      await db.transaction(async (trx) => {
        const row = trx.selectFrom('chat_rows').select(['project_id', 'app_id']).where('chat_id', '=', chatId)
        const chat = await row.executeTakeFirst()
        if (!chat) return
        const files = await removedFiles(trx, chatId, chat.project_id, ids)
        const hidden = new Set((await hideDocuments(trx, chatId, ids)).map(({ fileId }) => fileId))
        if (chat.app_id !== null) return
        const newlyHidden = files.filter(({ fileId }) => hidden.has(fileId))
        await recordEvents(
          trx,
          newlyHidden.map(({ fileId, file }) => event(chatId, fileId, file)),
        )
      })
      for (const fileId of ids) await sweeper.discard({ chatId, fileId })
      return 'more'
    },

    /** Whether one of the chats is private to an end user. */
    async hasPrivate(chatIds: readonly string[]): Promise<boolean> {
      const query = db.read.selectFrom('chats').select('chat_id').where('chat_id', 'in', chatIds)
      return (await query.where('app_id', 'is not', null).limit(1).executeTakeFirst()) !== undefined
    },

    /** Documents of the chat, oldest first. */
    documents(chatId: string) {
      return db.read
        .selectFrom('documents')
        .select(['chat_id', 'file_id', 'filename', 'chunk_count'])
        .where('chat_id', '=', chatId)
        .orderBy('created_at')
        .orderBy('file_id')
        .execute()
    },
  }
}
