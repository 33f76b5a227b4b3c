import type { CompiledQuery, Kysely } from 'kysely'
import { type Db, insertRows, type RowInsert, type Tables, type Trx } from '../../db/index.ts'
import { enqueue } from '../../jobs/index.ts'
import { raiseIndexVersion, vectorJob } from '../chats/index.ts'
import type { DocumentEmbedding } from './vectors/index.ts'

/** A vector space of a chat: vectors of an embedding model, or of an LSA fit to the chat. */
export interface VectorSpaceRow {
  spaceId: string
  kind: Tables['vector_spaces']['kind']
  model: string
  dimensions: number
  fit: Uint8Array | null
  /** Number of chunks that the LSA was fitted to; 0 for an embedding model. */
  chunkCount: number
}

/** A document to project into a vector space: its encoded segment, and the version of that. */
export interface DocumentToProject {
  fileId: string
  version: number
  segment: Uint8Array
}

export interface NewVectors {
  fileId: string
  /** The version of the document that the vectors were computed from. */
  version: number
  vectors: Float32Array
}

export type VectorStore = ReturnType<typeof createVectorStore>

const spaceColumns = ['space_id', 'kind', 'model', 'dimensions', 'fit', 'chunk_count'] as const

function spaceRow(chatId: string, space: VectorSpaceRow, conflict?: string): RowInsert {
  const { spaceId, kind, model, dimensions, fit, chunkCount } = space
  return {
    table: 'vector_spaces',
    columns: ['chat_id', ...spaceColumns, 'active', 'created_at'],
    rows: [[chatId, spaceId, kind, model, dimensions, fit, chunkCount, 0, Date.now()]],
    ...(conflict !== undefined && { conflict }),
  }
}

function embeddingSpaceRow(chatId: string, { spaceId, model, dimensions }: DocumentEmbedding): RowInsert {
  const space = { spaceId, kind: 'embedding', model, dimensions, fit: null, chunkCount: 0 } as const
  return spaceRow(chatId, space, 'on conflict do nothing')
}

const vectorColumns = ['chat_id', 'space_id', 'file_id', 'version', 'vectors']

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** The rows of a new document's vectors. `afterEmbedding` must follow them in the same transaction. */
export function embeddingRows(chatId: string, fileId: string, embedding: DocumentEmbedding): RowInsert[] {
  const { spaceId, vectors } = embedding
  return [
    embeddingSpaceRow(chatId, embedding),
    {
      table: 'document_vectors',
      columns: vectorColumns,
      rows: [[chatId, spaceId, fileId, 0, bytesOf(vectors)]],
    },
  ]
}

/** Statements that follow `embeddingRows` in the same transaction, after the index version of the chat is raised. */
export function afterEmbedding(
  db: Kysely<Tables>,
  chatId: string,
  fileId: string,
  spaceId: string,
): CompiledQuery[] {
  const touched = db
    .updateTable('document_vectors')
    .set((eb) => ({
      version: eb.selectFrom('chats').select('index_version').where('chat_id', '=', chatId),
    }))
    .where('chat_id', '=', chatId)
    .where('space_id', '=', spaceId)
    .where('file_id', '=', fileId)
  return [touched.compile(), ...activations(db, chatId, spaceId)]
}

/**
 * Statements that activate an embedding space if it has vectors of all documents of its chat. Other embedding spaces
 * are then deleted.
 */
function activations(db: Kysely<Tables>, chatId: string, spaceId: string): CompiledQuery[] {
  const activated = db
    .updateTable('vector_spaces')
    .set({ active: 1 })
    .where('chat_id', '=', chatId)
    .where('space_id', '=', spaceId)
    .where('active', '=', 0)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('documents')
            .select('documents.file_id')
            .where('documents.chat_id', '=', chatId)
            .where(({ not, exists, selectFrom }) =>
              not(
                exists(
                  selectFrom('document_vectors as stored')
                    .select('stored.file_id')
                    .where('stored.chat_id', '=', chatId)
                    .where('stored.space_id', '=', spaceId)
                    .whereRef('stored.file_id', '=', 'documents.file_id'),
                ),
              ),
            ),
        ),
      ),
    )
  const replaced = db
    .deleteFrom('vector_spaces')
    .where('chat_id', '=', chatId)
    .where('kind', '=', 'embedding')
    .where('space_id', '!=', spaceId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('vector_spaces as other')
          .select('other.space_id')
          .where('other.chat_id', '=', chatId)
          .where('other.space_id', '=', spaceId)
          .where('other.active', '=', 1),
      ),
    )
  return [activated.compile(), replaced.compile()]
}

export function createVectorStore(db: Db) {
  /** The documents that have not changed since they were read. They are locked until the end of the transaction. */
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
    /** The spaces that searches may use; embedding spaces come before LSA spaces. */
    async activeSpaces(chatId: string): Promise<VectorSpaceRow[]> {
      const rows = await db.read
        .selectFrom('vector_spaces')
        .select(spaceColumns)
        .where('chat_id', '=', chatId)
        .where('active', '=', 1)
        // 'embedding' sorts before 'lsa'.
        .orderBy('kind')
        .execute()
      return rows.map(({ space_id, chunk_count, ...row }) => ({
        ...row,
        spaceId: space_id,
        chunkCount: chunk_count,
      }))
    },

    /** Vectors that were written after a version, or whose documents changed after it; -1 returns all. */
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

    /** The documents of a chat that have a segment; with `spaceId`, only documents without vectors in this space. */
    async documentsToProject(chatId: string, spaceId?: string): Promise<DocumentToProject[]> {
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
      await db.insertAll([spaceRow(chatId, space)])
    },

    /** Adds the space of an embedding model, unless the chat has it. */
    async ensureEmbeddingSpace(chatId: string, embedding: DocumentEmbedding): Promise<void> {
      await db.insertAll([embeddingSpaceRow(chatId, embedding)])
    },

    /** Activates the space of an embedding model if every document has vectors in it. */
    async activateIfComplete(chatId: string, spaceId: string): Promise<void> {
      await db.transaction(async (trx) => {
        for (const statement of activations(trx, chatId, spaceId)) await trx.executeQuery(statement)
        await raiseIndexVersion(trx, chatId).execute()
      })
    },

    /** Writes the vectors of documents that have not changed since they were read, and raises the index version. */
    addVectors(chatId: string, spaceId: string, documents: readonly NewVectors[]): Promise<void> {
      return db.transaction(async (trx) => {
        const current = await unchanged(trx, chatId, documents)
        if (current.length === 0) return
        const raised = await raiseIndexVersion(trx, chatId).executeTakeFirst()
        // No row: the chat is being deleted.
        if (!raised) return
        const version = raised.index_version
        await insertRows(trx, {
          table: 'document_vectors',
          columns: vectorColumns,
          rows: current.map(({ fileId, vectors }) => [chatId, spaceId, fileId, version, bytesOf(vectors)]),
          conflict: 'on conflict do nothing',
        })
      })
    },

    /** Queues a job that updates the chat's vectors, at most one per version. */
    async requestJob(chatId: string, version: number): Promise<void> {
      await db.transaction(async (trx) => {
        const chat = await trx
          .selectFrom('chats')
          .select('project_id')
          .where('chat_id', '=', chatId)
          .executeTakeFirst()
        if (!chat) return
        await enqueue(trx, { ...vectorJob(chatId, version), projectId: chat.project_id })
      })
    },

    /** Activates a space, and deletes the other spaces of its kind with their vectors. */
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
        await raiseIndexVersion(trx, chatId).execute()
      })
    },
  }
}
