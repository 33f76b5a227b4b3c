import { setTimeout as pause } from 'node:timers/promises'
import type { ScopeValues } from '@cairn/contract'
import { type Db, outcomeOf } from '../../../db/index.ts'
import { type NewEvent, wasFileDeleted } from '../../events/index.ts'
import type { DocumentSweeper } from '../delete/index.ts'
import type { NewDocument } from './new-document.ts'
import { stepsOf } from './store-steps.ts'

export interface DocumentRow {
  file_id: string
  filename: string
  size_bytes: number
  chunk_count: number
  scope_values: string
  created_at: number
}

/** Time between two checks whether an id is free. */
const pollMs = 50

export type DocumentStore = ReturnType<typeof createDocumentStore>

const documentColumns = [
  'file_id',
  'filename',
  'size_bytes',
  'chunk_count',
  'scope_values',
  'created_at',
] as const

export function createDocumentStore(db: Db, sweeper: DocumentSweeper) {
  async function findProject(chatId: string): Promise<string | undefined> {
    const chat = db.read.selectFrom('chats').select('project_id').where('chat_id', '=', chatId)
    return (await chat.executeTakeFirst())?.project_id
  }

  async function textOf(chatId: string, fileId: string): Promise<string> {
    const parts = db.read.selectFrom('document_text_parts').select('text').where('chat_id', '=', chatId)
    const rows = await parts.where('file_id', '=', fileId).orderBy('part').execute()
    return rows.map(({ text }) => text).join('')
  }

  return {
    /** The project of a chat; undefined if there is no such chat. */
    findProject,

    /**
     * Writes a document with its text and chunks, the chat's new index version and the event: all or nothing. It uses
     * small transactions, and the last one makes the document visible.
     *
     * @returns `taken` if another document has the id; `lost` if a sweep deleted this document after its lease, or if
     *   it would exceed the limit of scopes
     */
    async insert(document: NewDocument, event?: NewEvent): Promise<'stored' | 'no_chat' | 'taken' | 'lost'> {
      let begun = false
      const write = async (): Promise<'stored'> => {
        for (const { inserts, after, isLast } of stepsOf(db, document, event)) {
          await sweeper.runSerially(() => db.insertAll(inserts, after, { durable: isLast }))
          begun = true
        }
        return 'stored'
      }
      const named = { missing: 'no_chat', duplicate: 'taken', aborted: 'lost' } as const
      let isStored = false
      try {
        const outcome = await outcomeOf(write, named)
        isStored = outcome === 'stored'
        const isChatGone = outcome === 'lost' && (await findProject(document.chatId)) === undefined
        return isChatGone ? 'no_chat' : outcome
      } finally {
        // If this fails, a sweep deletes the rest after the lease.
        if (begun && !isStored) await sweeper.discard(document).catch(() => {})
      }
    },

    /** The chat that has a node (document or chunk) with this id, if there is one; with the text of a document. */
    async findNode(id: string) {
      const document = await db.read
        .selectFrom('documents')
        .select(['chat_id', 'filename', 'chunk_count'])
        .where('file_id', '=', id)
        .executeTakeFirst()
      if (document && (await findProject(document.chat_id)) !== undefined) {
        const { chat_id: chatId } = document
        return { chatId, document: { ...document, text: await textOf(chatId, id) } }
      }
      const chunk = db.read.selectFrom('chunks').select('chat_id').where('chunk_id', '=', id)
      const found = await chunk.executeTakeFirst()
      if (!found || (await findProject(found.chat_id)) === undefined) return undefined
      return { chatId: found.chat_id, document: undefined }
    },

    /** Resolves when no document with this id is being written or deleted. Deletes it if its lease has ended. */
    async waitUntilSettled(fileId: string): Promise<void> {
      const ofId = db.read
        .selectFrom('document_rows')
        .select(['chat_id', 'state', 'lease_until'])
        .where('file_id', '=', fileId)
      for (;;) {
        const row = await ofId.executeTakeFirst()
        const isStored = row?.state === 'stored'
        // A stored document of a chat that is being deleted still has the id until its step of the deletion.
        if (!row || (isStored && (await findProject(row.chat_id)) !== undefined)) return
        if (!isStored && (row.lease_until ?? 0) < Date.now()) await sweeper.sweepAbandoned()
        else await pause(pollMs)
      }
    },

    /** Whether a file has this id, or a file with this id was deleted since the start of the second `nowMs`. */
    async isUsed(projectId: string, fileId: string, nowMs: number): Promise<boolean> {
      const holder = db.read.selectFrom('document_rows').select('file_id').where('file_id', '=', fileId)
      if (await holder.executeTakeFirst()) return true
      const sinceMs = Math.floor(nowMs / 1000) * 1000
      return wasFileDeleted(db, projectId, fileId, sinceMs)
    },

    /** The newest document with the same bytes and scope values that was created since `sinceMs`. */
    findDuplicate(
      chatId: string,
      sha256: string,
      scopeValues: ScopeValues,
      sinceMs: number,
    ): Promise<DocumentRow | undefined> {
      return db.read
        .selectFrom('documents')
        .select(documentColumns)
        .where('chat_id', '=', chatId)
        .where('sha256', '=', sha256)
        .where('scope_values', '=', JSON.stringify(scopeValues))
        .where('created_at', '>=', sinceMs)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
    },
  }
}
