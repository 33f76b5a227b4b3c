import { setTimeout as pause } from 'node:timers/promises'
import type { ScopeValues } from '@cairn/contract'
import type { Db } from '../../../db/index.ts'
import { hasEvent, type NewEvent } from '../../events/index.ts'
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
  async function textOf(chatId: string, fileId: string): Promise<string> {
    const parts = db.read.selectFrom('document_text_parts').select('text').where('chat_id', '=', chatId)
    const rows = await parts.where('file_id', '=', fileId).orderBy('part').execute()
    return rows.map(({ text }) => text).join('')
  }

  return {
    /** The project that a chat belongs to. */
    async findProject(chatId: string): Promise<string | undefined> {
      const chat = db.read.selectFrom('chats').select('project_id').where('chat_id', '=', chatId)
      return (await chat.executeTakeFirst())?.project_id
    },

    /**
     * The document with its text and chunks, the chat's new index version and the event of it: all or nothing. It is
     * written in small transactions, and seen by others when the last of them is done.
     */
    async insert(document: NewDocument, event?: NewEvent): Promise<void> {
      let begun = false
      try {
        for (const { inserts, after, isLast } of stepsOf(db, document, event)) {
          await sweeper.inTurn(() => db.insertAll(inserts, after, { durable: isLast }))
          begun = true
        }
      } catch (error) {
        // What cannot be taken out now is swept when its lease is over.
        if (begun) await sweeper.giveUp(document).catch(() => {})
        throw error
      }
    },

    /** The chat that has a node of this id, if any has; with what it says when that is a document. */
    async findHolder(id: string) {
      const document = await db.read
        .selectFrom('documents')
        .select(['chat_id', 'filename', 'chunk_count'])
        .where('file_id', '=', id)
        .executeTakeFirst()
      if (document) {
        const { chat_id: chatId } = document
        return { chatId, document: { ...document, text: await textOf(chatId, id) } }
      }
      const chunk = db.read.selectFrom('chunks').select('chat_id').where('chunk_id', '=', id)
      const found = await chunk.executeTakeFirst()
      return found && { chatId: found.chat_id, document: undefined }
    },

    /** Resolves when no document of this id is being written or deleted, nor one left behind. */
    async settled(fileId: string): Promise<void> {
      const unsettled = db.read
        .selectFrom('document_rows')
        .select('lease_until')
        .where('file_id', '=', fileId)
      for (;;) {
        const row = await unsettled.where('state', '<>', 'stored').executeTakeFirst()
        if (!row) return
        if ((row.lease_until ?? 0) < Date.now()) await sweeper.sweepAbandoned()
        else await pause(settleMs)
      }
    },

    /** Whether a file has this id, or had it and was deleted since a moment in the second that the id names. */
    async isUsed(projectId: string, fileId: string, nowMs: number): Promise<boolean> {
      const holder = db.read.selectFrom('document_rows').select('file_id').where('file_id', '=', fileId)
      if (await holder.executeTakeFirst()) return true
      const sinceMs = Math.floor(nowMs / 1000) * 1000
      return hasEvent(db, projectId, { type: 'file_deleted', sinceMs, says: `"file_id":"${fileId}"` })
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
