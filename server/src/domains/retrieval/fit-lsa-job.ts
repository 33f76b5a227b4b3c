import { newId } from '../../lib/ids.ts'
import type { IndexingPool } from './pool.ts'
import { chunkCountOf } from './segment-bytes.ts'
import type { DocumentToFold, VectorSpaceRow, VectorStore } from './store-vectors.ts'

/** With fewer chunks there is too little to learn which words go together. */
export const leastChunksForLsa = 50
/** A fit is made anew when the chat has grown or shrunk by this factor. */
const refitFactor = 1.5
/** Documents whose vectors are written in one transaction. */
const batchDocuments = 200

/** Whether a space that was fitted to so many chunks is still good for as many as there are. */
export function isOutgrown(fitted: number, chunks: number): boolean {
  return chunks > refitFactor * fitted || chunks < fitted / refitFactor
}

/**
 * Gives each chunk of a chat a vector in a space of the chat's own (LSA), in a worker thread: fits a new space when
 * there is none or the chat has outgrown it, else adds the documents that have come. The old space serves until the
 * new one is complete. May be run again at any point.
 */
export async function bringLsaUpToDate(
  store: VectorStore,
  pool: IndexingPool,
  chatId: string,
  signal: AbortSignal,
): Promise<void> {
  const current = (await store.activeSpaces(chatId)).find(({ kind }) => kind === 'lsa')
  const all = await store.documentsToFold(chatId)
  const chunks = all.reduce((sum, { segment }) => sum + chunkCountOf(segment), 0)
  if (chunks < leastChunksForLsa) return
  const isGood = current && !isOutgrown(current.chunkCount, chunks)
  const space = isGood ? current : await fitSpace(store, pool, chatId, all, chunks)
  if (!space) return
  await foldMissing(store, pool, chatId, space, signal)
  if (!isGood) await store.activate(chatId, space)
}

async function fitSpace(
  store: VectorStore,
  pool: IndexingPool,
  chatId: string,
  documents: readonly DocumentToFold[],
  chunkCount: number,
): Promise<VectorSpaceRow | undefined> {
  const fitted = await pool.fitLsa(documents.map(({ segment }) => segment))
  if (!fitted) return undefined
  const { fit, dimensions } = fitted
  const space = { spaceId: newId('lsa'), kind: 'lsa', model: 'lsa', dimensions, fit, chunkCount } as const
  await store.addSpace(chatId, space)
  return space
}

async function foldMissing(
  store: VectorStore,
  pool: IndexingPool,
  chatId: string,
  { spaceId, fit }: VectorSpaceRow,
  signal: AbortSignal,
): Promise<void> {
  if (!fit) return
  const missing = await store.documentsToFold(chatId, spaceId)
  for (let from = 0; from < missing.length; from += batchDocuments) {
    signal.throwIfAborted()
    const batch = missing.slice(from, from + batchDocuments)
    const vectors = await pool.foldLsa(
      fit,
      batch.map(({ segment }) => segment),
    )
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
