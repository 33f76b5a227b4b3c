import type { Trx } from '../../db/index.ts'
import { enqueue } from '../../jobs/index.ts'
import { type ChatRow, raiseIndexVersion } from './store-rows.ts'

/** The queue of jobs that compute vectors; `domains/retrieval` runs them. */
export const vectorQueue = 'vectors'

/** The id and payload of a job that updates the vectors of a chat; there is at most one per index version. */
export function vectorJob(chatId: string, version: number) {
  return { jobId: `vectors_${chatId}_${version}`, queue: vectorQueue, payload: { chat_id: chatId } }
}

/** Stores the embedding model that a chat chooses, and queues the job that computes its vectors. */
export async function useEmbeddingModel(
  trx: Trx,
  { chat_id, project_id: projectId }: Pick<ChatRow, 'chat_id' | 'project_id'>,
  model: string | null,
): Promise<void> {
  const update = raiseIndexVersion(trx, chat_id).set({ embedding_model: model })
  const raised = await update.executeTakeFirst()
  if (raised) await enqueue(trx, { ...vectorJob(chat_id, raised.index_version), projectId })
}
