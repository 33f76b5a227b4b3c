import type { Db, RowInsert } from '../database.ts'
import type { Tables } from '../schema.ts'
import { readerKysely, writerKysely } from './driver.ts'
import type { BatchStatement, SqlValue } from './protocol.ts'
import { DatabaseThread } from './thread.ts'

function toStatement({ table, columns, rows, conflict = '' }: RowInsert): BatchStatement {
  const names = columns.map((column) => `"${column}"`).join(', ')
  const marks = columns.map(() => '?').join(', ')
  return { sql: `insert into "${table}" (${names}) values (${marks}) ${conflict}`, rows }
}

/** Opens (or makes) the database file. The writer comes first: it sets the journal mode that readers need. */
export async function openSqlite(file: string, readers: number): Promise<Db> {
  const writer = new DatabaseThread({ file, role: 'writer' })
  await writer.send({ op: 'script', sql: 'select 1' })
  const threads = Array.from({ length: readers }, () => new DatabaseThread({ file, role: 'reader' }))
  const write = writerKysely<Tables>(writer)
  const read = readerKysely<Tables>(threads)
  return {
    dialect: 'sqlite',
    read,
    // Each stream opens a connection of its own in the reader thread.
    streams: read,
    transaction: (work) => write.transaction().execute(work),
    // The connection is borrowed so that a batch never lands inside somebody's open transaction.
    insertAll: (inserts, after = []) =>
      write.connection().execute(async () => {
        const last = after.map(({ sql, parameters }) => ({ sql, rows: [parameters as SqlValue[]] }))
        await writer.send({ op: 'batch', statements: [...inserts.map(toStatement), ...last] })
      }),
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()))
      await writer.close()
    },
  }
}
