import type { Kysely } from 'kysely'
import { type Db, insertRows, type Tables } from '../../db/index.ts'
import { dueNow, standingJobs } from '../../jobs/index.ts'
import { vectorJob, vectorQueue } from '../chats/index.ts'

/** How many chunks of a chat have vectors in a space, and the job that computes the others. */
export interface EmbeddingRow {
  chunks: number
  embedded: number
  job: { error: string | null; runAt: number; isDead: boolean } | undefined
}

export interface ServerEmbeddingRow {
  chats: number
  ready: number
  chunks: number
  embedded: number
  failing: { chatId: string; error: string }[]
}

export type EmbeddingStore = ReturnType<typeof createEmbeddingStore>

const mostFailingChats = 20
const chatsPerStep = 500

/** The documents with their chunks, and their chunks with vectors in a space. */
function countedDocuments(db: Kysely<Tables>, spaceId: string) {
  return db.selectFrom('documents').select((eb) => [
    'documents.chat_id',
    'documents.chunk_count as chunks',
    eb
      .case()
      .when(
        eb.exists(
          eb
            .selectFrom('document_vectors as vectors')
            .select('vectors.file_id')
            .whereRef('vectors.chat_id', '=', 'documents.chat_id')
            .where('vectors.space_id', '=', spaceId)
            .whereRef('vectors.file_id', '=', 'documents.file_id'),
        ),
      )
      .then(eb.ref('documents.chunk_count'))
      .else(0)
      .end()
      .as('embedded'),
  ])
}

export function createEmbeddingStore(db: Db) {
  return {
    /** The embedding model that a chat chooses; null for the server's. */
    async choiceOf(chatId: string): Promise<string | null> {
      const row = await db.read
        .selectFrom('chats')
        .select('embedding_model')
        .where('chat_id', '=', chatId)
        .executeTakeFirst()
      return row?.embedding_model ?? null
    },

    async progress(chatId: string, spaceId: string): Promise<EmbeddingRow> {
      const counts = await db.read
        .selectFrom(countedDocuments(db.read, spaceId).where('documents.chat_id', '=', chatId).as('counted'))
        .select((eb) => [
          eb.fn.sum<number | null>('counted.chunks').as('chunks'),
          eb.fn.sum<number | null>('counted.embedded').as('embedded'),
        ])
        .executeTakeFirstOrThrow()
      const job = await db.read
        .selectFrom('jobs')
        .innerJoin('chats', 'chats.project_id', 'jobs.project_id')
        .select(['jobs.last_error', 'jobs.run_at', 'jobs.status'])
        .where('chats.chat_id', '=', chatId)
        .where('jobs.queue', '=', vectorQueue)
        .where('jobs.payload', '=', JSON.stringify(vectorJob(chatId, 0).payload))
        .orderBy('jobs.created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return {
        chunks: Number(counts.chunks ?? 0),
        embedded: Number(counts.embedded ?? 0),
        job: job && { error: job.last_error, runAt: job.run_at, isDead: job.status === 'dead' },
      }
    },

    /** The same for all chats that use the model of the server. */
    async serverProgress(spaceId: string): Promise<ServerEmbeddingRow> {
      const perChat = db.read
        .selectFrom(countedDocuments(db.read, spaceId).as('counted'))
        .innerJoin('chats', 'chats.chat_id', 'counted.chat_id')
        .where('chats.embedding_model', 'is', null)
        .groupBy('counted.chat_id')
        .select((eb) => [
          eb.fn.sum<number>('counted.chunks').as('chunks'),
          eb.fn.sum<number>('counted.embedded').as('embedded'),
        ])
      const sums = await db.read
        .selectFrom(perChat.as('chat'))
        .select((eb) => [
          eb.fn.countAll<number>().as('chats'),
          eb.fn
            .sum<number | null>(eb.case().whenRef('chat.embedded', '=', 'chat.chunks').then(1).else(0).end())
            .as('ready'),
          eb.fn.sum<number | null>('chat.chunks').as('chunks'),
          eb.fn.sum<number | null>('chat.embedded').as('embedded'),
        ])
        .executeTakeFirstOrThrow()
      const failing = await db.read
        .selectFrom('jobs')
        .select(['payload', 'last_error'])
        .where('queue', '=', vectorQueue)
        .where('last_error', 'is not', null)
        .limit(mostFailingChats)
        .execute()
      return {
        chats: Number(sums.chats),
        ready: Number(sums.ready ?? 0),
        chunks: Number(sums.chunks ?? 0),
        embedded: Number(sums.embedded ?? 0),
        failing: failing.map(({ payload, last_error }) => ({
          chatId: (JSON.parse(payload) as { chat_id: string }).chat_id,
          error: last_error ?? '',
        })),
      }
    },

    /**
     * Queues the jobs that compute the vectors of the chats that use the model of the server, in steps by chat id.
     *
     * @param after the last chat of the step before; empty for the first step
     * @returns the last chat of this step; undefined after the last step
     */
    async requestJobs(after: string): Promise<string | undefined> {
      const chats = await db.read
        .selectFrom('chats')
        .select(['chat_id', 'project_id', 'index_version'])
        .where('embedding_model', 'is', null)
        .where('chat_id', '>', after)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('document_segments as segments')
              .select('segments.file_id')
              .whereRef('segments.chat_id', '=', 'chats.chat_id'),
          ),
        )
        .orderBy('chat_id')
        .limit(chatsPerStep)
        .execute()
      if (chats.length === 0) return undefined
      const jobs = chats.map(({ chat_id, project_id: projectId, index_version }) => {
        return { ...vectorJob(chat_id, index_version), projectId }
      })
      await db.transaction((trx) => insertRows(trx, standingJobs(jobs)))
      return chats.length < chatsPerStep ? undefined : chats.at(-1)?.chat_id
    },

    /** Makes the jobs due now that wait after a failure. */
    async retryNow(): Promise<void> {
      await db.transaction((trx) => dueNow(trx, vectorQueue))
    },
  }
}
