import type { JobOutcome } from '../../../jobs/index.ts'
import type { RetrievalStore } from '../store.ts'
import type { VectorStore } from '../store-vectors.ts'
import type { Embeddings } from '../vectors/index.ts'

/** Longer than the turn of other jobs: each begins with a look at all documents of the chat. */
const turnMs = 10_000

/**
 * Embeds the documents of a chat that have no vectors by the configured model: those that were there before it, or were
 * edited. The vectors of another model serve until all are there. May be run again at any point; ends after its turn.
 * Throws ModelError.
 */
export async function bringEmbeddingsUpToDate(
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
