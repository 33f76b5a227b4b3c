import type { Queue } from '../../jobs/index.ts'
import type { ChatModel } from '../../models/chat.ts'
import type { RelatingJob } from '../documents/index.ts'
import { relateByModel } from './by-model.ts'
import type { RelatingPool } from './pool.ts'
import type { DocumentToRelate, RelatingStore } from './store.ts'
import type { SourcedRelation } from './types.ts'

export interface RelatingOptions {
  store: RelatingStore
  pool: RelatingPool
  mode: 'local' | 'model' | 'off'
  /** Returns undefined if no provider is configured, which may change while the server runs. */
  model: () => ChatModel | undefined
}

/** Files with records instead of prose; records do not explain or support each other. */
const records = /\.(?:csv|json|ya?ml)$/i

/** The queue of background jobs that find relationships between the chunks of a document. */
export function relatingJobs({ store, ...options }: RelatingOptions): Queue {
  return {
    concurrency: 4,
    perProject: 1,
    maxAttempts: 5,
    backoff: { baseMs: 2_000, maxMs: 60_000 },
    async run({ payload }, signal) {
      const { chat_id, file_id, version } = payload as RelatingJob
      const document = await store.read(chat_id, file_id)
      // The document was deleted, or it has changed, and the change has queued a job of its own.
      if (document?.version !== version) return 'done'
      await store.replace(chat_id, file_id, document, await relate(document, options, signal))
      return 'done'
    },
  }
}

/**
 * The relations of a document. An empty result also deletes the relationships of earlier jobs, for example after
 * 'off'.
 */
async function relate(
  { filename, passages }: DocumentToRelate,
  { pool, mode, model }: Omit<RelatingOptions, 'store'>,
  signal: AbortSignal,
): Promise<SourcedRelation[]> {
  if (mode === 'off' || passages.length < 2 || records.test(filename)) return []
  const local = await pool.relate(passages, signal)
  const chosen = mode === 'model' ? model() : undefined
  if (chosen) return relateByModel({ model: chosen, passages, local, signal })
  return local.map((relation) => ({ ...relation, method: 'local' }))
}
