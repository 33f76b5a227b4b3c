import type { Db, Trx } from '../../../db/index.ts'
import { deleteSegments } from '../../retrieval/index.ts'

/**
 * Lease of a document that is being written or deleted. Each writing step renews it; after its end, a sweep deletes
 * the document.
 */
export const leaseMs = 60_000

/**
 * The state of a document in deletion: hidden, and some of its rows may be deleted. The stored value predates the
 * name.
 */
const deletingState = 'going'

/** Chunks that one transaction deletes, which occupies the database writer for a few milliseconds. */
const chunksPerTransaction = 250

const idsPerStatement = 5_000

export interface DocumentKey {
  chatId: string
  fileId: string
}

export type DocumentSweeper = ReturnType<typeof createDocumentSweeper>

/**
 * Hides stored documents of a chat, all or the given ones, and returns the documents that it has hidden. After the
 * commit, the caller sweeps their rows.
 */
export async function hideDocuments(
  trx: Trx,
  chatId: string,
  fileIds?: readonly string[],
): Promise<DocumentKey[]> {
  const hidden = await trx
    .updateTable('document_rows')
    .set({ state: deletingState, lease_until: Date.now() + leaseMs })
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
 * Deletes documents in small transactions. All stores of a process share one sweeper, which also runs the transactions
 * that write documents. Only one of them runs at a time, so any other write waits for at most one of them.
 */
export function createDocumentSweeper(db: Db) {
  let last: Promise<unknown> = Promise.resolve()

  /** Runs the step after all earlier steps of this process. */
  function runSerially<T>(step: () => Promise<T>): Promise<T> {
    const turn = last.then(step)
    last = turn.catch(() => {})
    return turn
  }

  function hiddenDocument({ chatId, fileId }: DocumentKey) {
    const rows = db.read.selectFrom('document_rows').select('file_id').where('chat_id', '=', chatId)
    return rows.where('file_id', '=', fileId).where('state', '=', deletingState)
  }

  /** Deletes some chunks of a hidden document; returns whether there may be more. */
  function deleteChunks(key: DocumentKey): Promise<boolean> {
    const { chatId, fileId } = key
    return db.transaction(async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('chunk_rows')
        .where('chat_id', '=', chatId)
        .where('file_id', '=', fileId)
        .where('chunk_order', '<', ({ selectFrom, fn, lit }) =>
          selectFrom('chunk_rows')
            .select((eb) => eb(fn.min('chunk_order'), '+', lit(chunksPerTransaction)).as('end'))
            .where('chat_id', '=', chatId)
            .where('file_id', '=', fileId),
        )
        .where(({ exists }) => exists(hiddenDocument(key)))
        .executeTakeFirst()
      return numDeletedRows > 0n
    })
  }

  /** The deletion cascades to text, segment and vectors. */
  function deleteRow({ chatId, fileId }: DocumentKey) {
    return db.transaction((trx) =>
      trx
        .deleteFrom('document_rows')
        .where('chat_id', '=', chatId)
        .where('file_id', '=', fileId)
        .where('state', '=', deletingState)
        .execute(),
    )
  }

  /** Deletes the rows of a hidden document in small transactions; then its id is free again. */
  async function sweep(key: DocumentKey): Promise<void> {
    while (await runSerially(() => deleteChunks(key)));
    await runSerially(() => deleteRow(key))
  }

  /**
   * Deletes a hidden document, or an unfinished one whose lease ends before `beforeMs` (Unix milliseconds). The last
   * transaction of its writer then aborts.
   */
  async function discardExpired({ chatId, fileId }: DocumentKey, beforeMs: number): Promise<void> {
    await runSerially(() =>
      db.transaction((trx) =>
        trx
          .updateTable('document_rows')
          .set({ state: deletingState })
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
    runSerially,

    /**
     * Deletes the rows of hidden documents. Never rejects: nobody can see the documents, and a later sweep deletes
     * the rest.
     */
    async sweepHidden(documents: readonly DocumentKey[]): Promise<void> {
      for (const document of documents) await sweep(document).catch(() => {})
    },

    /** Deletes a hidden or unfinished document whatever its lease: its writer failed, or its chat is being deleted. */
    discard: (key: DocumentKey) => discardExpired(key, Number.MAX_SAFE_INTEGER),

    /** Deletes half-written and half-deleted documents whose lease has ended; returns their number. */
    async sweepAbandoned(): Promise<number> {
      const now = Date.now()
      const rows = await db.read
        .selectFrom('document_rows')
        .select(['chat_id', 'file_id'])
        .where('lease_until', '<', now)
        .execute()
      for (const { chat_id, file_id } of rows) await discardExpired({ chatId: chat_id, fileId: file_id }, now)
      return rows.length
    },
  }
}
