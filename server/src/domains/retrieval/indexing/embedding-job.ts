import type { JobOutcome } from '../../../jobs/index.ts'
import type { EmbeddingModel } from '../../../models/embedding.ts'
import type { RetrievalStore } from '../store.ts'
import type { VectorStore } from '../store-vectors.ts'
import { type Embeddings, spaceOf } from '../vectors/index.ts'

/** Longer than the turn of other jobs, because each turn begins with a query over all documents of the chat. */
const turnMs = 10_000

/**
 * Embeds the documents of a chat that have no vectors of its model: they are older than its choice, or were edited.
 * Searches use the vectors of the previous model until all are complete. The job is idempotent, and
 * returns 'again' after its turn.
 *
 * @throws ModelError
 */
export async function updateEmbeddings(
  { store, vectors, embeddings }: { store: RetrievalStore; vectors: VectorStore; embeddings: Embeddings },
  { chatId, model }: { chatId: string; model: EmbeddingModel },
  signal: AbortSignal,
): Promise<JobOutcome> {
  const spaceId = spaceOf(model.id)
  const endOfTurn = Date.now() + turnMs
  for (const { fileId, version } of await vectors.documentsToProject(chatId, spaceId)) {
    signal.throwIfAborted()
    const chunks = await store.chunksOf(chatId, fileId)
    const embedded = await embeddings.document(
      model,
      chunks.map(({ fields }) => fields),
      signal,
    )
    await vectors.ensureEmbeddingSpace(chatId, embedded)
    await vectors.addVectors(chatId, spaceId, [{ fileId, version, vectors: embedded.vectors }])
    if (Date.now() >= endOfTurn) return 'again'
  }
  await vectors.activateIfComplete(chatId, spaceId)
  return 'done'
}
