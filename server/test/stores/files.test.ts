import { expect, it } from 'vitest'
import type { RemovedFile } from '../../src/domains/documents/delete/store-removal.ts'
import { createEventStore, type NewEvent } from '../../src/domains/events/index.ts'
import { createRetrievalStore } from '../../src/domains/retrieval/store.ts'
import { newId } from '../../src/lib/ids.ts'
import { describeEachDatabase } from '../databases.ts'
import { documentStores } from '../document-stores.ts'
import { addChat, newDocument } from '../rows.ts'

const tables = [
  'document_rows',
  'document_text_parts',
  'document_segments',
  'chunk_rows',
  'relationships',
] as const

/** The event of a deleted file. */
function eventOf({ projectId }: RemovedFile): NewEvent {
  return { projectId, type: 'webhook_test', data: { webhook_id: 'none', timestamp: 1 } }
}

describeEachDatabase('the store of files', (database) => {
  const documents = () => documentStores(database.db).documents
  const files = () => documentStores(database.db).files
  const version = (chatId: string) => createRetrievalStore(database.db).indexVersion(chatId)

  /** All rows of a chat's documents and graph. */
  async function rowsOf(chatId: string): Promise<unknown[]> {
    const reads = tables.map((table) =>
      database.db.read.selectFrom(table).selectAll().where('chat_id', '=', chatId).execute(),
    )
    return (await Promise.all(reads)).flat()
  }

  /** A relationship as only an editor creates it. */
  async function relate(chat_id: string, source_id: string, target_id: string): Promise<void> {
    const row = { chat_id, relationship_id: newId('rel_'), source_id, target_id }
    await database.db.transaction((trx) =>
      trx
        .insertInto('relationships')
        .values({ ...row, type: 'EXPLAINS', properties: '{}' })
        .execute(),
    )
  }

  it('lists files newest first, and finds a file only in its chat', async () => {
    const [mine, theirs] = [await addChat(database.db), await addChat(database.db)]
    for (const [fileId, createdMs] of [
      ['a', 1],
      ['c', 2],
      ['b', 2],
    ] as const) {
      await documents().insert(newDocument(mine, ['x', 'y'], { fileId, createdMs, filename: `${fileId}.md` }))
    }
    await documents().insert(newDocument(theirs, ['z'], { fileId: 'z' }))
    expect((await files().list(mine)).map(({ file_id }) => file_id)).toEqual(['c', 'b', 'a'])
    expect(await files().find(mine, 'a')).toEqual({
      file_id: 'a',
      filename: 'a.md',
      size_bytes: 100,
      chunk_count: 2,
      pages: null,
      scope_values: '{}',
      created_at: 1,
    })
    expect(await files().find(mine, 'z')).toBeUndefined()
    expect(await files().list('chatnone')).toEqual([])
  })

  it('deletes a file completely, including relationships to other files, and nothing of other files', async () => {
    const [chatId, other] = [await addChat(database.db), await addChat(database.db)]
    await documents().insert(newDocument(chatId, ['a', 'b'], { fileId: 'kept' }))
    await documents().insert(newDocument(other, ['a', 'b'], { fileId: 'kept there' }))
    const [before, others] = [await rowsOf(chatId), await rowsOf(other)]
    await documents().insert(newDocument(chatId, ['c', 'd', 'e'], { fileId: 'gone', filename: 'gone.md' }))
    await documents().insert(newDocument(other, ['c'], { fileId: 'gone there' }))
    const chunks = await database.db.read
      .selectFrom('chunks')
      .select(['chunk_id', 'file_id'])
      .where('chat_id', '=', chatId)
      .orderBy('chunk_order')
      .execute()
    const chunkOf = (file: string) => chunks.find(({ file_id }) => file_id === file)?.chunk_id ?? ''
    await relate(chatId, chunkOf('gone'), chunkOf('kept'))
    await relate(chatId, chunkOf('kept'), chunkOf('gone'))
    expect(await files().remove(chatId, 'gone', eventOf)).toMatchObject({
      filename: 'gone.md',
      sizeBytes: 100,
      chunkCount: 3,
      // 3 HAS_CHUNK, 2 NEXT, and the two relationships of the editor.
      relationshipCount: 7,
    })
    expect(await rowsOf(chatId)).toEqual(before)
    expect(await rowsOf(other)).toHaveLength(others.length + 4)
    expect([await version(chatId), await version(other)]).toEqual([3, 2])
  })

  it('writes one event per existing file, in the project of the chat', async () => {
    const chatId = await addChat(database.db)
    await documents().insert(newDocument(chatId, ['a'], { fileId: 'f' }))
    const removed = await Promise.all(Array.from({ length: 5 }, () => files().remove(chatId, 'f', eventOf)))
    const [file, ...twice] = removed.filter((each) => each !== undefined)
    expect(twice).toEqual([])
    const all = { limit: 10, after: undefined }
    const events = await createEventStore(database.db).list(file?.projectId ?? '', {}, all)
    expect(events).toHaveLength(1)
    expect(await version(chatId)).toBe(2)
  })

  it('deletes a file completely or not at all', async () => {
    const chatId = await addChat(database.db)
    await documents().insert(newDocument(chatId, ['a', 'b'], { fileId: 'f' }))
    const before = await rowsOf(chatId)
    const lost = (file: RemovedFile) => ({ ...eventOf(file), projectId: 'proj_none' })
    await expect(files().remove(chatId, 'f', lost)).rejects.toThrow()
    expect(await rowsOf(chatId)).toEqual(before)
    expect(await version(chatId)).toBe(1)
  })
})
