import { newId } from '../../../lib/ids.ts'
import { chunkCountOf } from '../segments/index.ts'
import type { DocumentToProject, VectorSpaceRow, VectorStore } from '../store-vectors.ts'
import { IndexingLimitError, type IndexingPool } from './pool.ts'

/** Fewer chunks are too few to learn which words occur together. */
export const minChunksForLsa = 50
/** A new space is fitted when the number of chunks has grown or shrunk by this factor. */
const refitFactor = 1.5
/** Maximum documents, and approximate chunks, whose vectors are computed and written together. */
const [batchDocuments, batchChunks] = [200, 20_000]
/** Maximum chats in the list of skipped chats; the oldest entry is deleted first. */
const maxSkippedChats = 10_000

/** Whether a space that was fitted to `fitted` chunks must be fitted again for `chunks` chunks. */
export function isOutgrown(fitted: number, chunks: number): boolean {
  return chunks > refitFactor * fitted || chunks < fitted / refitFactor
}

export interface LsaDependencies {
  vectors: VectorStore
  pool: IndexingPool
  /**
   * Called when a fit exceeds the limits of the pool. The chat is then skipped until its size has changed by
   * `refitFactor`.
   */
  onSkipped: (chatId: string, error: IndexingLimitError) => void
}

/**
 * Creates the function that updates the LSA vectors of a chat, in a child process. It fits a new space if there is
 * none or the chat's size has changed much; otherwise it only adds vectors of new documents. Searches use the old
 * space until the new one is complete. A chat that exceeds the limits has no vectors. The function is idempotent.
 */
export function createLsaUpdate({ vectors, pool, onSkipped }: LsaDependencies) {
  /** Number of chunks of each skipped chat when it exceeded the limits. */
  const skipped = new Map<string, number>()
  return async (chatId: string, signal: AbortSignal): Promise<void> => {
    const documents = await vectors.documentsToProject(chatId)
    const chunks = documents.reduce((sum, { segment }) => sum + chunkCountOf(segment), 0)
    if (chunks < minChunksForLsa || !isOutgrown(skipped.get(chatId) ?? 0, chunks)) return
    try {
      await updateVectors(vectors, pool, { chatId, documents, chunks }, signal)
      skipped.delete(chatId)
    } catch (error) {
      if (!(error instanceof IndexingLimitError)) throw error
      const oldest = skipped.keys().next()
      if (skipped.size >= maxSkippedChats && !oldest.done) skipped.delete(oldest.value)
      skipped.set(chatId, chunks)
      onSkipped(chatId, error)
    }
  }
}

interface ChatToProject {
  chatId: string
  documents: readonly DocumentToProject[]
  chunks: number
}

async function updateVectors(
  store: VectorStore,
  pool: IndexingPool,
  chat: ChatToProject,
  signal: AbortSignal,
): Promise<void> {
  const { chatId, chunks } = chat
  const current = (await store.activeSpaces(chatId)).find(({ kind }) => kind === 'lsa')
  const isCurrent = current && !isOutgrown(current.chunkCount, chunks)
  const space = isCurrent ? current : await fitSpace(store, pool, chat, signal)
  if (!space) return
  await projectMissing(store, pool, chatId, space, signal)
  if (!isCurrent) await store.activate(chatId, space)
}

async function fitSpace(
  store: VectorStore,
  pool: IndexingPool,
  { chatId, documents, chunks: chunkCount }: ChatToProject,
  signal: AbortSignal,
): Promise<VectorSpaceRow | undefined> {
  const segments = documents.map(({ segment }) => segment)
  const fitted = await pool.fitLsa(segments, signal)
  if (!fitted) return undefined
  const { fit, dimensions } = fitted
  const space = { spaceId: newId('lsa'), kind: 'lsa', model: 'lsa', dimensions, fit, chunkCount } as const
  await store.addSpace(chatId, space)
  return space
}

async function projectMissing(
  store: VectorStore,
  pool: IndexingPool,
  chatId: string,
  { spaceId, fit }: VectorSpaceRow,
  signal: AbortSignal,
): Promise<void> {
  if (!fit) return
  const missing = await store.documentsToProject(chatId, spaceId)
  for (const batch of batchesOf(missing)) {
    signal.throwIfAborted()
    const segments = batch.map(({ segment }) => segment)
    const vectors = await pool.projectLsa(fit, segments, signal)
    await store.addVectors(
      chatId,
      spaceId,
      batch.map(({ fileId, version }, index) => ({
        fileId,
        version,
        vectors: vectors[index] ?? new Float32Array(),
      })),
    )
  }
}

function* batchesOf(documents: readonly DocumentToProject[]): Generator<DocumentToProject[]> {
  let batch: DocumentToProject[] = []
  let chunks = 0
  for (const document of documents) {
    batch.push(document)
    chunks += chunkCountOf(document.segment)
    if (batch.length < batchDocuments && chunks < batchChunks) continue
    yield batch
    batch = []
    chunks = 0
  }
  if (batch.length > 0) yield batch
}
