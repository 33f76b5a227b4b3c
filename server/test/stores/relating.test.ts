import { expect, it } from 'vitest'
import { relatingQueue } from '../../src/domains/documents/store-relating.ts'
import { createRelationshipStore } from '../../src/domains/graph/store-relationships.ts'
import { createRelatingStore, type DocumentToRelate } from '../../src/domains/relating/store.ts'
import type { SourcedRelation } from '../../src/domains/relating/types.ts'
import { describeEachDatabase } from '../databases.ts'
import { documentStores } from '../document-stores.ts'
import { addChat, newDocument } from '../rows.ts'

const relation: SourcedRelation = { source: 1, target: 0, type: 'EXPLAINS', confidence: 0.5, method: 'local' }

describeEachDatabase('the store of relationships between passages', (database) => {
  const relating = () => createRelatingStore(database.db)

  async function prepare(texts = ['one', 'two', 'three']) {
    const chatId = await addChat(database.db)
    const fileId = `${chatId}-a`
    await documentStores(database.db).documents.insert(newDocument(chatId, texts, { fileId }))
    const read = async () => (await relating().read(chatId, fileId)) as DocumentToRelate
    return { chatId, fileId, read, document: await read() }
  }
  const edges = (chatId: string) =>
    database.db.read
      .selectFrom('relationships')
      .select(['source_id', 'target_id', 'type', 'properties', 'file_id'])
      .where('chat_id', '=', chatId)
      .where('type', 'not in', ['HAS_CHUNK', 'NEXT'])
      .orderBy('relationship_id')
      .execute()
  const jobs = async (chatId: string) => {
    const query = database.db.read.selectFrom('jobs').select('payload').where('queue', '=', relatingQueue)
    const rows = await query.where('job_id', 'like', `%${chatId}%`).orderBy('job_id').execute()
    return rows.map(({ payload }) => JSON.parse(payload) as unknown)
  }
  const edit = (chatId: string, chunkId: string, text: string) =>
    documentStores(database.db).edits.updateChunk(chatId, chunkId, { text, properties: {} })
  const event = (file: { projectId: string }) =>
    ({
      projectId: file.projectId,
      type: 'file_deleted',
      data: {} as never,
    }) as const

  it('enqueues one job per version of a document, in the transaction of the version', async () => {
    const { chatId, fileId, document, read } = await prepare()
    const first = { chat_id: chatId, file_id: fileId, version: document.version }
    expect(await jobs(chatId)).toEqual([first])
    expect(document.passages[1]).toEqual({ text: 'two', headingPath: ['Title', '1'] })
    await edit(chatId, document.chunkIds[1] ?? '', 'changed')
    const { version } = await read()
    expect(version).toBeGreaterThan(document.version)
    expect(await jobs(chatId)).toEqual([first, { ...first, version }])
    // The same text is no change.
    await edit(chatId, document.chunkIds[1] ?? '', 'changed')
    const again = documentStores(database.db).documents.insert(newDocument(chatId, ['x'], { fileId }))
    expect(await again).toBe('taken')
    expect(await jobs(chatId)).toHaveLength(2)
  })

  it('reads and writes documents with many chunks completely', async () => {
    const texts = Array.from({ length: 1_203 }, (_, n) => `text ${n}`)
    const { chatId, fileId, document } = await prepare(texts)
    expect(document.passages.map(({ text }) => text)).toEqual(texts)
    expect(new Set(document.chunkIds).size).toBe(texts.length)
    const relations = texts.slice(1).map((_, target) => ({ ...relation, target, source: target + 1 }))
    await relating().replace(chatId, fileId, document, relations)
    const made = await edges(chatId)
    expect(made.map(({ target_id }) => target_id)).toEqual(document.chunkIds.slice(0, -1))
  })

  it('replaces earlier generated relationships, and keeps those of editors', async () => {
    const { chatId, fileId, document } = await prepare()
    const [sourceId = '', targetId = ''] = document.chunkIds
    const byHand = { sourceId, targetId, type: 'SUPPORTS', properties: { ai_generated: true } } as const
    await createRelationshipStore(database.db).insert(chatId, byHand)
    const model = { ...relation, source: 2, method: 'model', model: 'm' } as const
    await relating().replace(chatId, fileId, document, [relation, model])
    await relating().replace(chatId, fileId, document, [relation, model])
    const [kept, ...made] = await edges(chatId)
    expect(kept).toMatchObject({ type: 'SUPPORTS', file_id: null })
    expect(made.map(({ properties }) => JSON.parse(properties) as unknown)).toEqual(
      expect.arrayContaining([
        { confidence: 0.5, ai_generated: true, method: 'local' },
        { confidence: 0.5, ai_generated: true, method: 'model', model: 'm' },
      ]),
    )
    expect(made).toHaveLength(2)
    expect(made[0]).toMatchObject({ source_id: document.chunkIds[1], target_id: sourceId, file_id: fileId })
    await relating().replace(chatId, fileId, document, [])
    expect(await edges(chatId)).toEqual([kept])
  })

  it('writes nothing for a changed or deleted document', async () => {
    const { chatId, fileId, document } = await prepare()
    await edit(chatId, document.chunkIds[2] ?? '', 'changed')
    await relating().replace(chatId, fileId, document, [relation])
    expect(await edges(chatId)).toEqual([])
    await documentStores(database.db).files.remove(chatId, fileId, event)
    await relating().replace(chatId, fileId, document, [relation])
    expect(await edges(chatId)).toEqual([])
    expect(await relating().read(chatId, fileId)).toBeUndefined()
  })

  it('leaves no rows if the document is deleted at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const { chatId, fileId, document } = await prepare()
      const relations = Array.from({ length: 50 }, () => relation)
      await Promise.all([
        documentStores(database.db).files.remove(chatId, fileId, event),
        relating().replace(chatId, fileId, document, relations),
      ])
      expect(await edges(chatId)).toEqual([])
    }
  })
})
