import { type CompiledQuery, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type AnyInsert,
  type Db,
  jsonNames,
  orAbort,
  type RowInsert,
  type Tables,
} from '../../../db/index.ts'
import { eventStatements, type NewEvent } from '../../events/index.ts'
import { afterEmbedding, embeddingRows, segmentRow } from '../../retrieval/index.ts'
import { leaseMs } from '../delete/index.ts'
import { chunkColumns, partColumns } from '../extraction/index.ts'
import { afterInsert } from '../store-changes.ts'
import type { NewDocument } from './new-document.ts'

/** One of the transactions that write a document. */
export interface Step {
  inserts: AnyInsert[]
  after: CompiledQuery[]
  /** The last transaction is durable, which also makes all earlier ones durable. */
  isLast: boolean
}

/**
 * Bytes that one transaction writes, unless a single insert is larger. Such a transaction occupies the database writer
 * for a few milliseconds.
 */
const stepBytes = 320 * 1024

const documentColumns = [
  'chat_id',
  'file_id',
  'filename',
  'sha256',
  'size_bytes',
  'chunk_count',
  'pages',
  'scope_values',
  'created_at',
  'state',
  'lease_until',
]

function documentRow(document: NewDocument): RowInsert {
  const { chatId, fileId, filename, sha256, sizeBytes, content, scopeValues, createdMs } = document
  const { chunkCount, pages } = content
  const described = [filename, sha256, sizeBytes, chunkCount, pages, JSON.stringify(scopeValues), createdMs]
  const row = [chatId, fileId, ...described, 'writing', Date.now() + leaseMs]
  return { table: 'document_rows', columns: documentColumns, rows: [row] }
}

/** The inserts of a document except its segment, each with its approximate size. */
function* insertsOf(document: NewDocument): Generator<[AnyInsert, bytes: number]> {
  const { chatId, fileId, content, embedding } = document
  const columns = ['chat_id', 'file_id']
  const common = [chatId, fileId]
  yield [documentRow(document), 0]
  for (const packed of content.parts) {
    const table = 'document_text_parts'
    yield [{ table, columns: [...columns, ...partColumns], common, packed }, packed.length]
  }
  for (const packed of content.chunks) {
    yield [{ table: 'chunk_rows', columns: [...columns, ...chunkColumns], common, packed }, packed.length]
  }
  if (!embedding) return
  const { byteLength } = embedding.vectors
  for (const insert of embeddingRows(chatId, fileId, embedding)) yield [insert, byteLength]
}

/**
 * Condition: the documents of a private chat, including this one, stay within the limit of scopes. The transaction has
 * locked the chat's row before, so it sees all documents that were stored earlier.
 */
function isWithinScopeLimit(
  { dialect }: Db,
  { chatId, fileId, scopeLimit }: NewDocument,
): RawBuilder<SqlBool> {
  if (!scopeLimit) return sql`true`
  const { max, inherited } = scopeLimit
  const own = inherited.length === 0 ? sql`true` : sql`names.key not in (${sql.join(inherited)})`
  return sql`(select count(distinct names.key)
    from document_rows as document, ${jsonNames(dialect, 'document.scope_values')} as names
    where document.chat_id = ${chatId} and (document.state = 'stored' or document.file_id = ${fileId})
    and ${own}) <= ${max}`
}

/**
 * Makes the whole document visible. Aborts the transaction if the document was deleted after its lease, if its chat is
 * being deleted, or if the document would exceed the limit of scopes.
 */
function completion(db: Db, document: NewDocument): CompiledQuery {
  const isLive = sql`exists (select 1 from chats where chats.chat_id = ${document.chatId})`
  return db.read
    .updateTable('document_rows')
    .set({
      state: orAbort(
        sql`state = 'writing' and ${isLive} and ${isWithinScopeLimit(db, document)}`,
        sql`'stored'`,
      ),
      lease_until: null,
    })
    .where('chat_id', '=', document.chatId)
    .where('file_id', '=', document.fileId)
    .compile()
}

function renewal(db: Kysely<Tables>, { chatId, fileId }: NewDocument): CompiledQuery {
  return db
    .updateTable('document_rows')
    .set({ lease_until: Date.now() + leaseMs })
    .where('chat_id', '=', chatId)
    .where('file_id', '=', fileId)
    .where('state', '=', 'writing')
    .compile()
}

/**
 * The transactions that write a document; a short document has one. Rows are hidden until the last transaction, which
 * makes the document visible, raises the chat's index version and writes the job and the event.
 */
export function* stepsOf(db: Db, document: NewDocument, event?: NewEvent): Generator<Step> {
  const { read } = db
  const { chatId, fileId, content, segment, embedding } = document
  let inserts: AnyInsert[] = []
  let sum = 0
  for (const [insert, bytes] of insertsOf(document)) {
    if (sum + bytes > stepBytes && inserts.length > 0) {
      yield { inserts, after: [renewal(read, document)], isLast: false }
      inserts = []
      sum = 0
    }
    inserts.push(insert)
    sum += bytes
  }
  if (sum + segment.bytes.length > stepBytes) {
    yield { inserts, after: [renewal(read, document)], isLast: false }
    inserts = []
  }
  inserts.push(segmentRow({ chatId, fileId, chunkIds: content.chunkIds, segment }))
  const after = [
    ...afterInsert(read, chatId, fileId),
    completion(db, document),
    ...(embedding ? afterEmbedding(read, chatId, fileId, embedding.spaceId) : []),
    ...(event ? eventStatements(read, event) : []),
  ]
  yield { inserts, after, isLast: true }
}
