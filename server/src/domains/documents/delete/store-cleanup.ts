import type { Db, Trx } from '../../../db/index.ts'
import type { DeletionStep } from '../../../jobs/index.ts'
import { type NewEvent, recordEvents } from '../../events/index.ts'
import { documentsChanged, withLockedChat } from '../store-changes.ts'
import { deleteAllRelationships, relationshipDeletion } from '../store-relationships.ts'
import { linkCount, type RemovedFile } from './store-removal.ts'
import { type DocumentKey, type DocumentSweeper, hideDocuments } from './store-sweep.ts'

/** What a chat held when it was emptied. */
export interface Emptied {
  documents: number
  chunks: number
  relationships: number
}

export type CleanupStore = ReturnType<typeof createCleanupStore>

/** Documents that one transaction hides. */
const documentsPerStep = 20

type DeletedEvent = (chatId: string, fileId: string, file: RemovedFile) => NewEvent

/** Documents of a chat, oldest first, as `file_deleted` tells of them. */
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

/** Hides every document of a chat, with an event for each; `going` are all that are to be swept. */
async function empty(
  trx: Trx,
  chatId: string,
  projectId: string,
  event: DeletedEvent,
): Promise<{ emptied: Emptied; going: DocumentKey[] }> {
  const files = await removedFiles(trx, chatId, projectId)
  const chunks = files.reduce((sum, { file }) => sum + file.chunkCount, 0)
  const stored = await deleteAllRelationships(trx, chatId)
  const going = await hideDocuments(trx, chatId)
  await documentsChanged(trx, chatId, [])
  await recordEvents(
    trx,
    files.map(({ fileId, file }) => event(chatId, fileId, file)),
  )
  const relationships = stored + linkCount(files.length, chunks)
  return { emptied: { documents: files.length, chunks, relationships }, going }
}

export function createCleanupStore(db: Db, sweeper: DocumentSweeper) {
  /** Takes every document of the chat out. Undefined when there is no chat. */
  async function emptyChat(chatId: string, event: DeletedEvent): Promise<Emptied | undefined> {
    const done = await withLockedChat(db, chatId, (trx, projectId) => empty(trx, chatId, projectId, event))
    if (done) await sweeper.sweepHidden(done.going)
    return done?.emptied
  }

  /** Rows of documents of a chat, in whatever state. */
  function someDocuments(chatId: string) {
    const rows = db.read.selectFrom('document_rows').select('file_id').where('chat_id', '=', chatId)
    return rows.orderBy('file_id').limit(documentsPerStep).execute()
  }

  return {
    empty: emptyChat,

    /** What a chat holds now. */
    async held(chatId: string): Promise<Emptied> {
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
     * A step of the deletion of a chat: takes a few documents out, with an event for each that was there, as each is
     * hidden once. Of a private chat nothing is told: what the log says of its user goes with it.
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
        const told = files.filter(({ fileId }) => hidden.has(fileId))
        await recordEvents(
          trx,
          told.map(({ fileId, file }) => event(chatId, fileId, file)),
        )
      })
      for (const fileId of ids) await sweeper.giveUp({ chatId, fileId })
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
