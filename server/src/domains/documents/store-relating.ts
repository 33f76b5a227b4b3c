import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Db, Tables } from '../../db/index.ts'
import { enqueueFrom } from '../../jobs/index.ts'

/** Queue of the jobs that find relationships between the chunks of a document; the payload is `RelatingJob`. */
export const relatingQueue = 'relationships'

export interface RelatingJob {
  chat_id: string
  file_id: string
  /** The document's version when the job was queued. A later version has a job of its own. */
  version: number
}

/** Debounces edits: the jobs of earlier edits then find that their version is outdated, and do nothing. */
const delayMs = 1_000

/**
 * Statement that queues the job that relates a document's chunks. It must follow the statement that sets the document's
 * new version, in the same transaction, so that each version has exactly one job.
 */
export function enqueueRelating(db: Kysely<Tables>, chatId: string, fileId: string): CompiledQuery {
  const version = sql`cast(document_segments.version as text)`
  // Neither id contains a character that JSON escapes.
  const payload = `{"chat_id":"${chatId}","file_id":"${fileId}","version":`
  const now = Date.now()
  const job = db
    .selectFrom('document_segments')
    .innerJoin('chats', 'chats.chat_id', 'document_segments.chat_id')
    .select([
      sql<string>`cast(${`relate_${chatId}_${fileId}_`} as text) || ${version}`.as('job_id'),
      'chats.project_id',
      sql<string>`cast(${payload} as text) || ${version} || '}'`.as('payload'),
    ])
    .where('document_segments.chat_id', '=', chatId)
    .where('document_segments.file_id', '=', fileId)
  return enqueueFrom(db, { queue: relatingQueue, runAt: now + delayMs, createdAt: now }, job)
}

/**
 * Counts the documents of a chat, and the documents whose relationships are not yet complete (waiting or running
 * jobs).
 */
export async function countRelating(
  db: Db,
  chatId: string,
): Promise<{ documents: number; relating: number }> {
  const jobId = sql<string>`${`relate_${chatId}_`} || segments.file_id || '_' || cast(segments.version as text)`
  const counts = await db.read
    .selectFrom('document_segments as segments')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.chat_id', '=', 'segments.chat_id')
        .onRef('documents.file_id', '=', 'segments.file_id'),
    )
    .leftJoin('jobs', (join) => join.on('jobs.job_id', '=', jobId).on('jobs.status', '=', 'queued'))
    .select(({ fn }) => [
      fn.count<number>('segments.file_id').as('documents'),
      fn.count<number>('jobs.job_id').as('relating'),
    ])
    .where('segments.chat_id', '=', chatId)
    .executeTakeFirstOrThrow()
  return { documents: Number(counts.documents), relating: Number(counts.relating) }
}
