import type { Db, Trx } from '../../../db/index.ts'
import { type NewEvent, recordEvents } from '../../events/index.ts'
import { forgetUsers } from '../../usage/index.ts'
import { documentsChanged, lockChat, withLockedChat } from '../store-changes.ts'
import { linkCount, type RemovedFile } from './store-removal.ts'
import { type DocumentKey, type DocumentSweeper, hideDocuments } from './store-sweep.ts'

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

/** Hides every document of a chat, with an event for each; `going` are all that are to be swept. */
async function empty(
  trx: Trx,
  chatId: string,
  projectId: string,
  event: DeletedEvent,
): Promise<{ emptied: Emptied; going: DocumentKey[] }> {
  const files = await removedFiles(trx, chatId, projectId)
  const chunks = files.reduce((sum, { file }) => sum + file.chunkCount, 0)
  const stored = await trx.deleteFrom('relationships').where('chat_id', '=', chatId).executeTakeFirst()
  const going = await hideDocuments(trx, chatId)
  await documentsChanged(trx, chatId, [])
  await recordEvents(
    trx,
    files.map(({ fileId, file }) => event(chatId, fileId, file)),
  )
  const relationships = Number(stored.numDeletedRows) + linkCount(files.length, chunks)
  return { emptied: { documents: files.length, chunks, relationships }, going }
}

function added(a: Emptied | undefined, b: Emptied): Emptied {
  if (!a) return b
  return {
    documents: a.documents + b.documents,
    chunks: a.chunks + b.chunks,
    relationships: a.relationships + b.relationships,
  }
}

export function createCleanupStore(db: Db, sweeper: DocumentSweeper) {
  /** Takes every document of the chat out. Undefined when there is no chat. */
  async function emptyChat(chatId: string, event: DeletedEvent): Promise<Emptied | undefined> {
    const done = await withLockedChat(db, chatId, (trx, projectId) => empty(trx, chatId, projectId, event))
    if (done) await sweeper.sweepHidden(done.going)
    return done?.emptied
  }

  /** Deletes a chat that holds next to nothing any more; what came meanwhile goes with it. */
  function deleteChat(chatId: string, event: DeletedEvent): Promise<Emptied | undefined> {
    return db.transaction(async (trx) => {
      const projectId = await lockChat(db, trx, chatId, { toDelete: true })
      if (projectId === undefined) return undefined
      const { emptied } = await empty(trx, chatId, projectId, event)
      await forgetUsers(db, trx, { projectId, parentChatId: chatId })
      // Settings, scopes, keys, applications and what is left of documents go by their foreign keys.
      await trx.deleteFrom('chats').where('chat_id', '=', chatId).execute()
      return emptied
    })
  }

  return {
    empty: emptyChat,

    /** Deletes chats with all they have; answers what each held that was there. */
    async deleteChats(chatIds: readonly string[], event: DeletedEvent): Promise<Map<string, Emptied>> {
      const held = new Map<string, Emptied>()
      for (const chatId of chatIds) {
        // First what is large, in small transactions, so that the one that deletes the chat is short.
        const before = await emptyChat(chatId, event)
        const rest = before && (await deleteChat(chatId, event))
        if (rest) held.set(chatId, added(before, rest))
        // Somebody else was quicker to delete the chat, but not its documents.
        else if (before && before.documents > 0) held.set(chatId, before)
      }
      return held
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
