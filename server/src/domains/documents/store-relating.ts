import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Db, Tables } from '../../db/index.ts'
import { enqueueFrom } from '../../jobs/index.ts'

/** The queue of jobs that relate the chunks of a document; a job's payload is `RelatingJob`. */
export const relatingQueue = 'relationships'

export interface RelatingJob {
  chat_id: string
  file_id: string
  /** The document's version when the job was asked for; a later one has a job of its own. */
  version: number
}

/** Of a burst of edits, only the last one finds its version still there. */
const restMs = 1_000

/**
 * Asks for the relationships of a document's chunks to be made (anew). Belongs behind the statement that gives the
 * document its new version, so that the job exists exactly when the version does; once for each.
 */
export function askToRelate(db: Kysely<Tables>, chatId: string, fileId: string): CompiledQuery {
  const version = sql`cast(document_segments.version as text)`
  // Neither id has a character that JSON would escape.
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
  return enqueueFrom(db, { queue: relatingQueue, runAt: now + restMs, createdAt: now }, job)
}

/** How many documents a chat has, and how many of them wait for their relationships, or are just given them. */
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
