import { sql } from 'kysely'
import { type Db, jsonArrayFrom, parseJsonArray } from '../../db/index.ts'
import { abandoned, checks } from './checks.ts'

export interface Finding {
  /** What was looked for, in the plural. */
  fault: string
  count: number
}

/** Documents read at a time; a text may have megabytes. */
const textsAtOnce = 2

/** Reads a whole database for what must not be in it; writes nothing. */
export function createDoctorStore(db: Db) {
  async function count(statement: string): Promise<number> {
    const { rows } = await sql.raw<{ count: number }>(statement).execute(db.read)
    return Number(rows[0]?.count)
  }

  /**
   * Documents with their text and chunks and what the index takes of them, each as one statement sees it: so edits
   * meanwhile are no fault.
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

  /** What no statement can count: ranges are in units of UTF-16, and the index has a list. */
  async function examineDocuments(): Promise<Finding[]> {
    const ranges = { fault: 'chunks whose range of the text is not their text', count: 0 }
    const segments = { fault: 'segments of the index of other chunks than their document has', count: 0 }
    for await (const { parts, format, chunk_ids, chunks } of documents()) {
      const text = parseJsonArray(parts)
        .map((part) => part.text)
        .join('')
      const inOrder = parseJsonArray(chunks)
      for (const { start_offset, end_offset, text: own } of inOrder) {
        if (own !== text.slice(start_offset, end_offset)) ranges.count++
      }
      const isKept = format !== null && format > 0
      if (isKept && chunk_ids !== inOrder.map(({ chunk_id }) => chunk_id).join(' ')) segments.count++
    }
    return [ranges, segments]
  }

  return {
    /** How many rows there are of what is looked at. */
    async sizes(): Promise<Record<string, number>> {
      const names = ['projects', 'chats', 'documents', 'chunks', 'relationships', 'traces']
      const counts = await Promise.all(names.map((name) => count(`select count(*) as count from ${name}`)))
      return Object.fromEntries(names.map((name, index) => [name, counts[index] ?? 0]))
    },

    /** One finding for each thing that is looked for, also when there is none of it. */
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
