import type { Queue } from '../../../jobs/index.ts'
import { ModelError } from '../../../models/model-error.ts'
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
    // A provider may fail for days until somebody corrects its configuration, which also runs the job at once.
    maxAttempts: 1_000,
    backoff: { baseMs: 2_000, maxMs: 900_000 },
    async run({ payload }, signal) {
      const { chat_id } = payload as { chat_id: string }
      // The model is read in each turn, so a job continues with the model that was chosen meanwhile.
      const model = await embeddings.modelOf(chat_id)
      if (model) {
        const work = updateEmbeddings({ store, vectors, embeddings }, { chatId: chat_id, model }, signal)
        return work.catch((error: unknown) => {
          throw withDetail(error)
        })
      }
      await updateLsa(chat_id, signal)
      return 'done'
    },
  }
}

/** The stored error of a job is what the console shows, so it contains the status that the provider answered. */
function withDetail(error: unknown): unknown {
  if (!(error instanceof ModelError)) return error
  return new Error(`${error.message}: ${error.detail}`, { cause: error })
}
