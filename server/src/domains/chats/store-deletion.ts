import type { Db, Trx } from '../../db/index.ts'
import { type DeletionStep, enqueueDeletion } from '../../jobs/index.ts'

/** Number of chats whose deletion one transaction starts, when their project is deleted. */
const chatsPerStep = 20

/**
 * Hides the chat; a job then deletes its data. Returns false if the chat does not exist or is already in deletion.
 */
export async function startDeletion(trx: Trx, chatId: string): Promise<boolean> {
  const chat = await trx
    .updateTable('chat_rows')
    .set({ state: 'deleting' })
    .where('chat_id', '=', chatId)
    .where('state', '=', 'live')
    .returning('project_id')
    .executeTakeFirst()
  if (!chat) return false
  await enqueueDeletion(trx, { what: 'chat', id: chatId, projectId: chat.project_id })
  return true
}

export type ChatDeletionStore = ReturnType<typeof createChatDeletionStore>

export function createChatDeletionStore(db: Db) {
  return {
    /** Returns false if there is no such chat. */
    start: (chatId: string): Promise<boolean> => db.transaction((trx) => startDeletion(trx, chatId)),

    /** Deletes the chat's row; the deletion cascades to its keys, settings and scopes. */
    async finish(chatId: string): Promise<void> {
      await db.transaction((trx) =>
        trx.deleteFrom('chat_rows').where('chat_id', '=', chatId).where('state', '=', 'deleting').execute(),
      )
    },

    /** A step of the deletion of a project: starts the deletion of its chats, and then waits until all are deleted. */
    async ofProject(projectId: string): Promise<DeletionStep> {
      const ofProject = db.read.selectFrom('chat_rows').where('project_id', '=', projectId)
      const live = await ofProject.select('chat_id').where('state', '=', 'live').limit(chatsPerStep).execute()
      if (live.length === 0) {
        return (await ofProject.select('chat_id').limit(1).executeTakeFirst()) ? 'waits' : 'nothing'
      }
      await db.transaction(async (trx) => {
        for (const { chat_id } of live) await startDeletion(trx, chat_id)
      })
      return 'more'
    },
  }
}
