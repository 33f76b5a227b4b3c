import type { Queue } from '../../jobs/index.ts'
import { bringEmbeddingsUpToDate } from './embedding-job.ts'
import type { Embeddings } from './embeddings.ts'
import { bringLsaUpToDate } from './fit-lsa-job.ts'
import type { IndexingPool } from './pool.ts'
import type { RetrievalStore } from './store.ts'
import type { VectorStore } from './store-vectors.ts'

export interface VectorJobOptions {
  store: RetrievalStore
  vectors: VectorStore
  pool: IndexingPool
  embeddings: Embeddings
}

/** The background work that gives chunks vectors. */
export function vectorJobs({ store, vectors, pool, embeddings }: VectorJobOptions): Queue {
  return {
    concurrency: 4,
    perProject: 1,
    maxAttempts: 5,
    backoff: { baseMs: 2_000, maxMs: 60_000 },
    async run({ payload }, signal) {
      const { chat_id } = payload as { chat_id: string }
      if (embeddings.model !== undefined) {
        return bringEmbeddingsUpToDate({ store, vectors, embeddings }, chat_id, signal)
      }
      await bringLsaUpToDate(vectors, pool, chat_id, signal)
      return 'done'
    },
  }
}
