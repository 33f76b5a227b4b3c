import { type Db, insertRows, type Tables, type Trx } from '../../db/index.ts'
import { enqueue } from '../../jobs/index.ts'

export const vectorQueue = 'vectors'

/** A way to give a chat's chunks vectors. */
export interface VectorSpaceRow {
  spaceId: string
  kind: Tables['vector_spaces']['kind']
  model: string
  dimensions: number
  fit: Uint8Array | null
  /** Chunks that the fit was made of. */
  chunkCount: number
}

/** What vectors are made of: the encoded segment of a document, as of a version. */
export interface DocumentToFold {
  fileId: string
  version: number
  segment: Uint8Array
}

export interface NewVectors {
  fileId: string
  /** The version of the document that they were made of. */
  version: number
  vectors: Float32Array
}

export type VectorStore = ReturnType<typeof createVectorStore>

/** Raises the chat's index version and answers it. */
async function raiseVersion(trx: Trx, chatId: string): Promise<number> {
  const { index_version } = await trx
    .updateTable('chats')
    .set((eb) => ({ index_version: eb('index_version', '+', 1) }))
    .where('chat_id', '=', chatId)
    .returning('index_version')
    .executeTakeFirstOrThrow()
  return index_version
}

const spaceColumns = ['space_id', 'kind', 'model', 'dimensions', 'fit', 'chunk_count'] as const

export function createVectorStore(db: Db) {
  /** Of these documents, those that have not changed since they were read; they cannot until the transaction ends. */
  async function unchanged(
    trx: Trx,
    chatId: string,
    documents: readonly NewVectors[],
  ): Promise<NewVectors[]> {
    const query = trx
      .selectFrom('document_segments')
      .select(['file_id', 'version'])
      .where('chat_id', '=', chatId)
      .where(
        'file_id',
        'in',
        documents.map(({ fileId }) => fileId),
      )
      .orderBy('file_id')
    const rows = await (db.dialect === 'postgres' ? query.forShare() : query).execute()
    const versions = new Map(rows.map((row) => [row.file_id, row.version]))
    return documents.filter(({ fileId, version }) => versions.get(fileId) === version)
  }

  return {
    /** The space that questions use: a provider's before one of the chat's own. */
    async activeSpace(chatId: string): Promise<VectorSpaceRow | undefined> {
      const row = await db.read
        .selectFrom('vector_spaces')
        .select(spaceColumns)
        .where('chat_id', '=', chatId)
        .where('active', '=', 1)
        // 'embedding' comes before 'lsa'.
        .orderBy('kind')
        .limit(1)
        .executeTakeFirst()
      if (!row) return undefined
      const { space_id, kind, model, dimensions, fit, chunk_count } = row
      return { spaceId: space_id, kind, model, dimensions, fit, chunkCount: chunk_count }
    },

    /** Vectors that were written, or whose documents were changed, after a version; all after -1. */
    async vectorsSince(
      chatId: string,
      spaceId: string,
      version: number,
    ): Promise<{ fileId: string; vectors: Uint8Array }[]> {
      const rows = await db.read
        .selectFrom('document_vectors as vectors')
        .innerJoin('document_segments as segments', (join) =>
          join
            .onRef('segments.chat_id', '=', 'vectors.chat_id')
            .onRef('segments.file_id', '=', 'vectors.file_id'),
        )
        .select(['vectors.file_id', 'vectors.vectors'])
        .where('vectors.chat_id', '=', chatId)
        .where('vectors.space_id', '=', spaceId)
        .where((eb) => eb.or([eb('vectors.version', '>', version), eb('segments.version', '>', version)]))
        .execute()
      return rows.map(({ file_id, vectors }) => ({ fileId: file_id, vectors }))
    },

    /** The documents of a chat that are ready to be indexed; with a space, those that have no vectors in it. */
    async documentsToFold(chatId: string, spaceId?: string): Promise<DocumentToFold[]> {
      const rows = await db.read
        .selectFrom('document_segments as segments')
        .select(['segments.file_id', 'segments.version', 'segments.segment'])
        .where('segments.chat_id', '=', chatId)
        .where('segments.segment', 'is not', null)
        .$if(spaceId !== undefined, (query) =>
          query.where((eb) =>
            eb.not(
              eb.exists(
                eb
                  .selectFrom('document_vectors as vectors')
                  .select('vectors.file_id')
                  .whereRef('vectors.chat_id', '=', 'segments.chat_id')
                  .where('vectors.space_id', '=', spaceId ?? '')
                  .whereRef('vectors.file_id', '=', 'segments.file_id'),
              ),
            ),
          ),
        )
        .orderBy('segments.file_id')
        .execute()
      return rows.flatMap(({ file_id, version, segment }) =>
        segment ? [{ fileId: file_id, version, segment }] : [],
      )
    },

    async addSpace(chatId: string, space: VectorSpaceRow): Promise<void> {
      await db.insertAll([
        {
          table: 'vector_spaces',
          columns: ['chat_id', ...spaceColumns, 'active', 'created_at'],
          rows: [
            [
              chatId,
              space.spaceId,
              space.kind,
              space.model,
              space.dimensions,
              space.fit,
              space.chunkCount,
              0,
              Date.now(),
            ],
          ],
        },
      ])
    },

    /** Writes vectors of documents that are there and as they were read; they are seen from the next version on. */
    addVectors(chatId: string, spaceId: string, documents: readonly NewVectors[]): Promise<void> {
      return db.transaction(async (trx) => {
        const fitting = await unchanged(trx, chatId, documents)
        if (fitting.length === 0) return
        const version = await raiseVersion(trx, chatId)
        await insertRows(trx, {
          table: 'document_vectors',
          columns: ['chat_id', 'space_id', 'file_id', 'version', 'vectors'],
          rows: fitting.map(({ fileId, vectors }) => [
            chatId,
            spaceId,
            fileId,
            version,
            new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength),
          ]),
          conflict: 'on conflict do nothing',
        })
      })
    },

    /** Asks for the chat's vectors to be brought up to date; once for each version. */
    async requestJob(chatId: string, version: number): Promise<void> {
      const job = { jobId: `vectors_${chatId}_${version}`, queue: vectorQueue, payload: { chat_id: chatId } }
      await db.transaction((trx) => enqueue(trx, job))
    },

    /** Makes a space the one of its kind that questions use; the others of its kind are deleted with their vectors. */
    activate(chatId: string, { spaceId, kind }: Pick<VectorSpaceRow, 'spaceId' | 'kind'>): Promise<void> {
      return db.transaction(async (trx) => {
        await trx
          .deleteFrom('vector_spaces')
          .where('chat_id', '=', chatId)
          .where('kind', '=', kind)
          .where('space_id', '!=', spaceId)
          .execute()
        await trx
          .updateTable('vector_spaces')
          .set({ active: 1 })
          .where('chat_id', '=', chatId)
          .where('space_id', '=', spaceId)
          .execute()
        await raiseVersion(trx, chatId)
      })
    },
  }
}
