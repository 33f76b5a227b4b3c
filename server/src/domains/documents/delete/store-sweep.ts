import type { Db, Trx } from '../../../db/index.ts'
import { deleteSegments } from '../../retrieval/index.ts'

/** For how long whoever writes or deletes a document is believed to be at it; each step renews it. */
export const leaseMs = 60_000

/** Chunks that one transaction deletes: a few milliseconds of the writer's time. */
const chunksAtOnce = 250

/** Ids that one statement names. */
const idsPerStatement = 5_000

export interface DocumentKey {
  chatId: string
  fileId: string
}

export type DocumentSweeper = ReturnType<typeof createDocumentSweeper>

/**
 * Lets nobody see stored documents of a chat any more, all or some; answers which. What is left of them is swept when the
 * transaction is done.
 */
export async function hideDocuments(
  trx: Trx,
  chatId: string,
  fileIds?: readonly string[],
): Promise<DocumentKey[]> {
  const hidden = await trx
    .updateTable('document_rows')
    .set({ state: 'going', lease_until: Date.now() + leaseMs })
    .where('chat_id', '=', chatId)
    .where('state', '=', 'stored')
    .$if(fileIds !== undefined, (query) => query.where('file_id', 'in', fileIds ?? []))
    .returning('file_id')
    .execute()
  const ids = hidden.map(({ file_id }) => file_id)
  for (let from = 0; from < ids.length; from += idsPerStatement) {
    await deleteSegments(trx, chatId, ids.slice(from, from + idsPerStatement))
  }
  return ids.map((fileId) => ({ chatId, fileId }))
}

/**
 * Small transactions one after the other, so that whoever else writes waits for one of them at most, however many
 * documents are being written or deleted. All stores of a process share one sweeper.
 */
export function createDocumentSweeper(db: Db) {
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(step: () => Promise<T>): Promise<T> {
    const turn = last.then(step)
    last = turn.catch(() => {})
    return turn
  }

  function going({ chatId, fileId }: DocumentKey) {
    const rows = db.read.selectFrom('document_rows').select('file_id').where('chat_id', '=', chatId)
    return rows.where('file_id', '=', fileId).where('state', '=', 'going')
  }

  /** Answers whether there may be more. */
  function deleteChunks(key: DocumentKey): Promise<boolean> {
    const { chatId, fileId } = key
    return db.transaction(async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('chunk_rows')
        .where('chat_id', '=', chatId)
        .where('file_id', '=', fileId)
        .where('chunk_order', '<', ({ selectFrom, fn, lit }) =>
          selectFrom('chunk_rows')
            .select((eb) => eb(fn.min('chunk_order'), '+', lit(chunksAtOnce)).as('end'))
            .where('chat_id', '=', chatId)
            .where('file_id', '=', fileId),
        )
        .where(({ exists }) => exists(going(key)))
        .executeTakeFirst()
      return numDeletedRows > 0n
    })
  }

  /** Text, segment and vectors go by their foreign keys. */
  function deleteRow({ chatId, fileId }: DocumentKey) {
    return db.transaction((trx) =>
      trx
        .deleteFrom('document_rows')
        .where('chat_id', '=', chatId)
        .where('file_id', '=', fileId)
        .where('state', '=', 'going')
        .execute(),
    )
  }

  /** Takes out a hidden document in small transactions; then its id is free again. */
  async function sweep(key: DocumentKey): Promise<void> {
    while (await inTurn(() => deleteChunks(key)));
    await inTurn(() => deleteRow(key))
  }

  /** Takes out what is written of a document whose lease ends before a moment; its writer does not get to the end. */
  async function abandon({ chatId, fileId }: DocumentKey, beforeMs: number): Promise<void> {
    await inTurn(() =>
      db.transaction((trx) =>
        trx
          .updateTable('document_rows')
          .set({ state: 'going' })
          .where('chat_id', '=', chatId)
          .where('file_id', '=', fileId)
          .where('state', '=', 'writing')
          .where('lease_until', '<', beforeMs)
          .execute(),
      ),
    )
    await sweep({ chatId, fileId })
  }

  return {
    inTurn,

    /** Takes out hidden documents. Never rejects: they are gone for everybody, and what is left is swept later. */
    async sweepHidden(documents: readonly DocumentKey[]): Promise<void> {
      for (const document of documents) await sweep(document).catch(() => {})
    },

    /** Deletes a hidden document, or one that is being written: for its writer, or when its chat is deleted. */
    giveUp: (key: DocumentKey) => abandon(key, Number.MAX_SAFE_INTEGER),

    /** Takes out what processes that died have left behind; answers of how many documents. */
    async sweepAbandoned(): Promise<number> {
      const now = Date.now()
      const rows = await db.read
        .selectFrom('document_rows')
        .select(['chat_id', 'file_id'])
        .where('lease_until', '<', now)
        .execute()
      for (const { chat_id, file_id } of rows) await abandon({ chatId: chat_id, fileId: file_id }, now)
      return rows.length
    },
  }
}
