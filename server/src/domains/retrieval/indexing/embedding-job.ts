import type { JobOutcome } from '../../../jobs/index.ts'
import type { RetrievalStore } from '../store.ts'
import type { VectorStore } from '../store-vectors.ts'
import type { Embeddings } from '../vectors/index.ts'

/** Longer than the turn of other jobs, because each turn begins with a query over all documents of the chat. */
const turnMs = 10_000

/**
 * Embeds the documents of a chat that have no vectors of the configured model: they are older than its configuration,
 * or were edited. Searches use the vectors of the previous model until all are complete. The job is idempotent, and
 * returns 'again' after its turn.
 *
 * @throws ModelError
 */
export async function updateEmbeddings(
  { store, vectors, embeddings }: { store: RetrievalStore; vectors: VectorStore; embeddings: Embeddings },
  chatId: string,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { spaceId } = embeddings
  if (spaceId === undefined) return 'done'
  const endOfTurn = Date.now() + turnMs
  for (const { fileId, version } of await vectors.documentsToProject(chatId, spaceId)) {
    signal.throwIfAborted()
    const chunks = await store.chunksOf(chatId, fileId)
    const embedded = await embeddings.document(
      chunks.map(({ fields }) => fields),
      signal,
    )
    if (!embedded) return 'done'
    await vectors.ensureEmbeddingSpace(chatId, embedded)
    await vectors.addVectors(chatId, spaceId, [{ fileId, version, vectors: embedded.vectors }])
    if (Date.now() >= endOfTurn) return 'again'
  }
  await vectors.activateIfComplete(chatId, spaceId)
  return 'done'
}
