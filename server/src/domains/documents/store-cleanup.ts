import type { Db, Trx } from '../../db/index.ts'
import { type NewEvent, recordEvents } from '../events/index.ts'
import { changeKnowledge, documentsChanged, lockChat } from './store-changes.ts'
import type { RemovedFile } from './store-files.ts'

/** What a chat held when it was emptied. */
export interface Emptied {
  documents: number
  chunks: number
  relationships: number
}

export type CleanupStore = ReturnType<typeof createCleanupStore>

type DeletedEvent = (chatId: string, fileId: string, file: RemovedFile) => NewEvent

/** Documents of a chat, oldest first, as `file_deleted` tells of them. */
async function removedFiles(trx: Trx, chatId: string, projectId: string) {
  const rows = await trx
    .selectFrom('documents')
    .select(['file_id', 'filename', 'size_bytes', 'chunk_count'])
    .where('chat_id', '=', chatId)
    .orderBy('created_at')
    .orderBy('file_id')
    .execute()
  return rows.map(({ file_id, filename, size_bytes, chunk_count }) => ({
    fileId: file_id,
    file: { projectId, filename, sizeBytes: size_bytes, chunkCount: chunk_count, relationshipCount: 0 },
  }))
}

/** Takes every document of a chat out, with an event for each. */
async function empty(trx: Trx, chatId: string, projectId: string, event: DeletedEvent): Promise<Emptied> {
  const files = await removedFiles(trx, chatId, projectId)
  const removeFrom = async (table: 'relationships' | 'chunks' | 'documents') =>
    Number((await trx.deleteFrom(table).where('chat_id', '=', chatId).executeTakeFirst()).numDeletedRows)
  const [relationships, chunks] = [await removeFrom('relationships'), await removeFrom('chunks')]
  const documents = await removeFrom('documents')
  await documentsChanged(trx, chatId, [])
  await recordEvents(
    trx,
    files.map(({ fileId, file }) => event(chatId, fileId, file)),
  )
  return { documents, chunks, relationships }
}

export function createCleanupStore(db: Db) {
  return {
    /** Takes every document of the chat out. Undefined when there is no chat. */
    empty(chatId: string, event: DeletedEvent): Promise<Emptied | undefined> {
      return changeKnowledge(db, chatId, (trx, projectId) => empty(trx, chatId, projectId, event))
    },

    /** Deletes chats with all they have; answers what each held that was there. */
    deleteChats(chatIds: readonly string[], event: DeletedEvent): Promise<Map<string, Emptied>> {
      return db.transaction(async (trx) => {
        const held = new Map<string, Emptied>()
        // In one order, so that two calls at once do not wait for each other.
        for (const chatId of chatIds.toSorted()) {
          const projectId = await lockChat(db, trx, chatId, { toDelete: true })
          if (projectId === undefined) continue
          held.set(chatId, await empty(trx, chatId, projectId, event))
          // Settings, scopes and keys go by their foreign keys.
          await trx.deleteFrom('chats').where('chat_id', '=', chatId).execute()
        }
        return held
      })
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
