import type { Queue } from '../../jobs/index.ts'
import type { ChatModel } from '../../models/chat.ts'
import type { RelatingJob } from '../documents/index.ts'
import { relateByModel } from './by-model.ts'
import type { RelatingPool } from './pool.ts'
import type { DocumentToRelate, RelatingStore } from './store.ts'
import type { MadeRelation } from './types.ts'

export interface RelatingOptions {
  store: RelatingStore
  pool: RelatingPool
  mode: 'local' | 'model' | 'off'
  /** Undefined when no provider is configured; that may change while the server runs. */
  model: () => ChatModel | undefined
}

/** Files whose chunks are records, not prose: they do not explain or support one another. */
const records = /\.(?:csv|json|ya?ml)$/i

/** The background work that relates the chunks of a document. */
export function relatingJobs({ store, ...options }: RelatingOptions): Queue {
  return {
    concurrency: 4,
    perProject: 1,
    maxAttempts: 5,
    backoff: { baseMs: 2_000, maxMs: 60_000 },
    async run({ payload }, signal) {
      const { chat_id, file_id, version } = payload as RelatingJob
      const document = await store.read(chat_id, file_id)
      // Gone, or changed: then the change has asked for a job of its own.
      if (document?.version !== version) return 'done'
      await store.replace(chat_id, file_id, document, await relate(document, options, signal))
      return 'done'
    },
  }
}

async function relate(
  { filename, passages }: DocumentToRelate,
  { pool, mode, model }: Omit<RelatingOptions, 'store'>,
  signal: AbortSignal,
): Promise<MadeRelation[]> {
  if (mode === 'off' || passages.length < 2 || records.test(filename)) return []
  const local = await pool.relate(passages, signal)
  const chosen = mode === 'model' ? model() : undefined
  if (chosen) return relateByModel({ model: chosen, passages, local, signal })
  return local.map((relation) => ({ ...relation, method: 'local' }))
}
