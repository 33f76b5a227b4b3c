import { sql } from 'kysely'
import { type Db, jsonArrayFrom, parseJsonArray } from '../../db/index.ts'
import { checks } from './checks.ts'

export interface Finding {
  /** What was looked for, in the plural. */
  fault: string
  count: number
}

/** Documents read at a time; a text may have megabytes. */
const textsAtOnce = 8

/** Reads a whole database for what must not be in it; writes nothing. */
export function createDoctorStore(db: Db) {
  async function count(statement: string): Promise<number> {
    const { rows } = await sql.raw<{ count: number }>(statement).execute(db.read)
    return Number(rows[0]?.count)
  }

  /** Documents with their text and chunks, each as one statement sees it, so that edits meanwhile are no fault. */
  function documents() {
    return db.streams
      .selectFrom('document_texts')
      .select(['chat_id', 'text'])
      .select((eb) =>
        jsonArrayFrom(
          db.dialect,
          eb
            .selectFrom('chunks')
            .select(['start_offset', 'end_offset', 'text'])
            .whereRef('chunks.chat_id', '=', 'document_texts.chat_id')
            .whereRef('chunks.file_id', '=', 'document_texts.file_id'),
        ).as('chunks'),
      )
      .stream(textsAtOnce)
  }

  async function countWrongRanges(): Promise<number> {
    let wrong = 0
    for await (const { text, chunks } of documents()) {
      const ofDocument = parseJsonArray(chunks)
      wrong += ofDocument.filter(
        (chunk) => chunk.text !== text.slice(chunk.start_offset, chunk.end_offset),
      ).length
    }
    return wrong
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
      for (const { fault, sql: statement } of checks) yield { fault, count: await count(statement) }
      yield { fault: 'chunks whose range of the text is not their text', count: await countWrongRanges() }
      if (db.dialect === 'sqlite') {
        const { rows } = await sql<{ quick_check: string }>`pragma quick_check`.execute(db.read)
        const damages = rows.filter(({ quick_check }) => quick_check !== 'ok')
        yield { fault: 'damaged pages of the file', count: damages.length }
      }
    },
  }
}
