import { sql } from 'kysely'
import { type Db, jsonArrayFrom, parseJsonArray } from '../../db/index.ts'
import { abandoned, checks } from './checks.ts'

export interface Finding {
  /** The kind of inconsistency, in the plural. */
  fault: string
  /** 0 if the database has none. */
  count: number
}

/** Documents per read; the text of one document may have megabytes. */
const textsAtOnce = 2

/** Searches a whole database for inconsistencies, without writing. */
export function createDoctorStore(db: Db) {
  async function count(statement: string): Promise<number> {
    const { rows } = await sql.raw<{ count: number }>(statement).execute(db.read)
    return Number(rows[0]?.count)
  }

  /**
   * Reads documents with their texts, chunks and segments in one statement, so that a concurrent edit is no inconsistency.
   */
  function documents() {
    return db.streams
      .selectFrom('documents')
      .leftJoin('document_segments', (join) =>
        join
          .onRef('document_segments.chat_id', '=', 'documents.chat_id')
          .onRef('document_segments.file_id', '=', 'documents.file_id'),
      )
      .select(['document_segments.format', 'document_segments.chunk_ids'])
      .select((eb) =>
        jsonArrayFrom(
          db.dialect,
          eb
            .selectFrom('document_text_parts')
            .select('text')
            .whereRef('document_text_parts.chat_id', '=', 'documents.chat_id')
            .whereRef('document_text_parts.file_id', '=', 'documents.file_id')
            .orderBy('part'),
        ).as('parts'),
      )
      .select((eb) =>
        jsonArrayFrom(
          db.dialect,
          eb
            .selectFrom('chunks')
            .select(['chunk_id', 'start_offset', 'end_offset', 'text'])
            .whereRef('chunks.chat_id', '=', 'documents.chat_id')
            .whereRef('chunks.file_id', '=', 'documents.file_id')
            .orderBy('chunk_order'),
        ).as('chunks'),
      )
      .stream(textsAtOnce)
  }

  /** Checks that SQL cannot do: ranges count UTF-16 units, and a segment contains a list of chunk ids. */
  async function examineDocuments(): Promise<Finding[]> {
    const ranges = { fault: 'chunks whose text differs from their range of the document', count: 0 }
    const segments = { fault: 'segments of the index whose chunks differ from their document', count: 0 }
    for await (const { parts, format, chunk_ids, chunks } of documents()) {
      const text = parseJsonArray(parts)
        .map((part) => part.text)
        .join('')
      const inOrder = parseJsonArray(chunks)
      for (const { start_offset, end_offset, text: chunkText } of inOrder) {
        if (chunkText !== text.slice(start_offset, end_offset)) ranges.count++
      }
      const hasSegment = format !== null && format > 0
      if (hasSegment && chunk_ids !== inOrder.map(({ chunk_id }) => chunk_id).join(' ')) segments.count++
    }
    return [ranges, segments]
  }

  return {
    /** The numbers of rows of the main tables. */
    async sizes(): Promise<Record<string, number>> {
      const names = ['projects', 'chats', 'documents', 'chunks', 'relationships', 'traces']
      const counts = await Promise.all(names.map((name) => count(`select count(*) as count from ${name}`)))
      return Object.fromEntries(names.map((name, index) => [name, counts[index] ?? 0]))
    },

    /** Runs all checks. Yields one finding per check, also for a check that found nothing. */
    async *examine(): AsyncGenerator<Finding> {
      const all = [...checks, abandoned(Date.now())]
      for (const { fault, sql: statement } of all) yield { fault, count: await count(statement) }
      yield* await examineDocuments()
      if (db.dialect === 'sqlite') {
        const { rows } = await sql<{ quick_check: string }>`pragma quick_check`.execute(db.read)
        const damages = rows.filter(({ quick_check }) => quick_check !== 'ok')
        yield { fault: 'damaged pages of the file', count: damages.length }
      }
    },
  }
}
