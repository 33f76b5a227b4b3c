import type { Queue } from '../../jobs/index.ts'
import { bringLsaUpToDate } from './fit-lsa-job.ts'
import type { IndexingPool } from './pool.ts'
import type { VectorStore } from './store-vectors.ts'

/** The background work that gives chunks vectors. */
export function vectorJobs(store: VectorStore, pool: IndexingPool): Queue {
  return {
    concurrency: 1,
    maxAttempts: 5,
    backoff: { baseMs: 2_000, maxMs: 60_000 },
    async run({ payload }, signal) {
      const { chat_id } = payload as { chat_id: string }
      await bringLsaUpToDate(store, pool, chat_id, signal)
      return 'done'
    },
  }
}
