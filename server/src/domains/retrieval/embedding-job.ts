import type { Embeddings } from './embeddings.ts'
import type { RetrievalStore } from './store.ts'
import type { VectorStore } from './store-vectors.ts'

/**
 * Embeds the documents of a chat that have no vectors by the configured model: those that were there before it, or were
 * edited. The vectors of another model serve until all are there. May be run again at any point. Throws ModelError.
 */
export async function bringEmbeddingsUpToDate(
  { store, vectors, embeddings }: { store: RetrievalStore; vectors: VectorStore; embeddings: Embeddings },
  chatId: string,
  signal: AbortSignal,
): Promise<void> {
  const { spaceId } = embeddings
  if (spaceId === undefined) return
  for (const { fileId, version } of await vectors.documentsToFold(chatId, spaceId)) {
    signal.throwIfAborted()
    const chunks = await store.chunksOf(chatId, fileId)
    const embedded = await embeddings.document(
      chunks.map(({ fields }) => fields),
      signal,
    )
    if (!embedded) return
    await vectors.ensureEmbeddingSpace(chatId, embedded)
    await vectors.addVectors(chatId, spaceId, [{ fileId, version, vectors: embedded.vectors }])
  }
  await vectors.activateIfComplete(chatId, spaceId)
}
