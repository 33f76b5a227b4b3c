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

/** How often a document that is being written is looked at by others who want its id. */
const settleMs = 50

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
    /** The project that a chat belongs to; undefined when there is no chat. */
    findProject,

    /**
     * The document with its text and chunks, the chat's new index version and the event of it: all or nothing. It is
     * written in small transactions, and seen by others when the last of them is done. `taken` when another document has
     * the id; `lost` when somebody has taken this one for left behind, or it would make too many scopes.
     */
    async insert(document: NewDocument, event?: NewEvent): Promise<'stored' | 'no_chat' | 'taken' | 'lost'> {
      let begun = false
      const write = async (): Promise<'stored'> => {
        for (const { inserts, after, isLast } of stepsOf(db, document, event)) {
          await sweeper.inTurn(() => db.insertAll(inserts, after, { durable: isLast }))
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
        // What cannot be taken out now is swept when its lease is over.
        if (begun && !isStored) await sweeper.giveUp(document).catch(() => {})
      }
    },

    /** The chat that has a node of this id, if any has; with what it says when that is a document. */
    async findHolder(id: string) {
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

    /** Resolves when no document of this id is being written or deleted, nor one left behind. */
    async settled(fileId: string): Promise<void> {
      const ofId = db.read
        .selectFrom('document_rows')
        .select(['chat_id', 'state', 'lease_until'])
        .where('file_id', '=', fileId)
      for (;;) {
        const row = await ofId.executeTakeFirst()
        const isStored = row?.state === 'stored'
        // A document of a chat that is being deleted is in the way until its turn comes.
        if (!row || (isStored && (await findProject(row.chat_id)) !== undefined)) return
        if (!isStored && (row.lease_until ?? 0) < Date.now()) await sweeper.sweepAbandoned()
        else await pause(settleMs)
      }
    },

    /** Whether a file has this id, or had it and was deleted since a moment in the second that the id names. */
    async isUsed(projectId: string, fileId: string, nowMs: number): Promise<boolean> {
      const holder = db.read.selectFrom('document_rows').select('file_id').where('file_id', '=', fileId)
      if (await holder.executeTakeFirst()) return true
      const sinceMs = Math.floor(nowMs / 1000) * 1000
      return wasFileDeleted(db, projectId, fileId, sinceMs)
    },

    /** The newest document of the same bytes and scope values since a moment, if there is one. */
    findTwin(
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
