import type { Queue } from '../../../jobs/index.ts'
import type { RetrievalStore } from '../store.ts'
import type { Embeddings } from '../vectors/index.ts'
import { updateEmbeddings } from './embedding-job.ts'
import { createLsaUpdate, type LsaDependencies } from './fit-lsa-job.ts'

export interface VectorJobOptions extends LsaDependencies {
  store: RetrievalStore
  embeddings: Embeddings
}

/** The queue of background jobs that compute the vectors of chunks. */
export function vectorJobs({ store, embeddings, ...lsa }: VectorJobOptions): Queue {
  const { vectors } = lsa
  const updateLsa = createLsaUpdate(lsa)
  return {
    concurrency: 4,
    perProject: 1,
    maxAttempts: 5,
    backoff: { baseMs: 2_000, maxMs: 60_000 },
    async run({ payload }, signal) {
      const { chat_id } = payload as { chat_id: string }
      if (embeddings.model !== undefined) {
        return updateEmbeddings({ store, vectors, embeddings }, chat_id, signal)
      }
      await updateLsa(chat_id, signal)
      return 'done'
    },
  }
}
