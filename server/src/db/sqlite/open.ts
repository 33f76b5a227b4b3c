import type { AnyInsert, Db } from '../database.ts'
import type { Tables } from '../schema.ts'
import { withWriters } from '../writers.ts'
import { Checkpointer } from './checkpointer.ts'
import { onDemandKysely, readerKysely, writerKysely } from './driver.ts'
import type { BatchStatement, SqlValue } from './protocol.ts'
import { DatabaseThread } from './thread.ts'
import { ThreadsOnDemand } from './threads-on-demand.ts'

function toStatement(insert: AnyInsert): BatchStatement {
  const { table, columns } = insert
  const names = columns.map((column) => `"${column}"`).join(', ')
  const marks = columns.map(() => '?').join(', ')
  const sql = `insert into "${table}" (${names}) values (${marks})`
  if ('packed' in insert) return { sql, common: insert.common, packed: insert.packed }
  return { sql: `${sql} ${insert.conflict ?? ''}`, rows: insert.rows }
}

/** Estimated bytes of an unpacked row, and of a transaction with single statements. */
const [rowBytes, transactionBytes] = [512, 8192]

function bytesOf(inserts: readonly AnyInsert[]): number {
  return inserts.reduce(
    (sum, insert) => sum + ('packed' in insert ? insert.packed.length : insert.rows.length * rowBytes),
    0,
  )
}

interface SqliteThreads {
  readerThreads: number
  maxScans: number
  maxExports: number
}

/** Opens or creates the database file. The writer opens first, because it sets the journal mode that readers need. */
export async function openSqlite(
  file: string,
  { readerThreads, maxScans, maxExports }: SqliteThreads,
): Promise<Db> {
  const writer = new DatabaseThread({ file, role: 'writer' })
  await writer.send({ op: 'script', sql: 'select 1' })
  const threads = Array.from({ length: readerThreads }, () => new DatabaseThread({ file, role: 'reader' }))
  const write = writerKysely<Tables>(writer)
  const checkpointer = new Checkpointer(file)
  const scanners = new ThreadsOnDemand({ file, role: 'scanner' }, maxScans)
  // Each export has its own thread, so an export that searches long for its next row delays no other.
  const exporters = new ThreadsOnDemand({ file, role: 'exporter' }, maxExports)
  return {
    dialect: 'sqlite',
    read: readerKysely<Tables>(threads),
    scans: onDemandKysely<Tables>(scanners),
    streams: onDemandKysely<Tables>(exporters),
    ...withWriters(
      { width: 1, widthPerProject: 1 },
      {
        transaction: async (work) => {
          const result = await write.transaction().execute(work)
          checkpointer.written(transactionBytes)
          return result
        },
        insertAll: async (inserts, after = [], { durable = true } = {}) => {
          const last = after.map(({ sql, parameters }) => ({ sql, rows: [parameters as SqlValue[]] }))
          const statements = [...inserts.map(toStatement), ...last]
          // Borrows the connection, so that a batch never becomes part of another open transaction.
          await write.connection().execute(() => writer.send({ op: 'batch', statements, durable }))
          checkpointer.written(bytesOf(inserts))
        },
      },
    ),
    close: async () => {
      await Promise.all([...threads, scanners, exporters, checkpointer].map((each) => each.close()))
      await writer.close()
    },
  }
}
