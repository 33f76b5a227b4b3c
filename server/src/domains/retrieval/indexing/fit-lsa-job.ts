import { newId } from '../../../lib/ids.ts'
import { chunkCountOf } from '../segments/index.ts'
import type { DocumentToProject, VectorSpaceRow, VectorStore } from '../store-vectors.ts'
import { IndexingLimitError, type IndexingPool } from './pool.ts'

/** With fewer chunks there is too little to learn which words go together. */
export const leastChunksForLsa = 50
/** A fit is made anew when the chat has grown or shrunk by this factor. */
const refitFactor = 1.5
/** Documents, and about how many chunks, whose vectors are made and written together. */
const [batchDocuments, batchChunks] = [200, 20_000]
/** Chats that are remembered because their vectors take too much; the longest known is forgotten first. */
const mostGivenUp = 10_000

/** Whether a space that was fitted to so many chunks is still good for as many as there are. */
export function isOutgrown(fitted: number, chunks: number): boolean {
  return chunks > refitFactor * fitted || chunks < fitted / refitFactor
}

/** What brings the vectors of chats up to date. */
export interface LsaDependencies {
  vectors: VectorStore
  pool: IndexingPool
  /** Told when the vectors of a chat take more than the limits of the pool; once, until the chat has changed much. */
  onGivenUp: (chatId: string, error: IndexingLimitError) => void
}

/**
 * Gives each chunk of a chat a vector in a space of the chat's own (LSA), in a child process: fits a new space when
 * there is none or the chat has outgrown it, else adds the documents that have come. The old space serves until the
 * new one is complete. A chat whose vectors take too much goes without. May be run again at any point.
 */
export function createLsaUpdate({ vectors, pool, onGivenUp }: LsaDependencies) {
  /** How many chunks a chat had when it was given up. */
  const givenUp = new Map<string, number>()
  return async (chatId: string, signal: AbortSignal): Promise<void> => {
    const documents = await vectors.documentsToProject(chatId)
    const chunks = documents.reduce((sum, { segment }) => sum + chunkCountOf(segment), 0)
    if (chunks < leastChunksForLsa || !isOutgrown(givenUp.get(chatId) ?? 0, chunks)) return
    try {
      await bringUpToDate(vectors, pool, { chatId, documents, chunks }, signal)
      givenUp.delete(chatId)
    } catch (error) {
      if (!(error instanceof IndexingLimitError)) throw error
      const oldest = givenUp.keys().next()
      if (givenUp.size >= mostGivenUp && !oldest.done) givenUp.delete(oldest.value)
      givenUp.set(chatId, chunks)
      onGivenUp(chatId, error)
    }
  }
}

interface ChatToProject {
  chatId: string
  documents: readonly DocumentToProject[]
  chunks: number
}

async function bringUpToDate(
  store: VectorStore,
  pool: IndexingPool,
  chat: ChatToProject,
  signal: AbortSignal,
): Promise<void> {
  const { chatId, chunks } = chat
  const current = (await store.activeSpaces(chatId)).find(({ kind }) => kind === 'lsa')
  const isGood = current && !isOutgrown(current.chunkCount, chunks)
  const space = isGood ? current : await fitSpace(store, pool, chat, signal)
  if (!space) return
  await projectMissing(store, pool, chatId, space, signal)
  if (!isGood) await store.activate(chatId, space)
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
