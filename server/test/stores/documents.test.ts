import { expect, it } from 'vitest'
import { packText } from '../../src/domains/documents/extraction/packing.ts'
import { createGraphStore, linksOf } from '../../src/domains/graph/store.ts'
import { createRetrievalStore } from '../../src/domains/retrieval/store.ts'
import { chunksOf } from '../chunks-of.ts'
import { describeEachDatabase } from '../databases.ts'
import { documentStores } from '../document-stores.ts'
import { addChat, newDocument } from '../rows.ts'

const hash = 'b'.repeat(64)

describeEachDatabase('the documents, graph and retrieval stores', (database) => {
  const documents = () => documentStores(database.db).documents
  const graph = () => createGraphStore(database.db)
  const retrieval = () => createRetrievalStore(database.db)

  it('store a document with its chunks, HAS_CHUNK in order and NEXT between neighbours', async () => {
    const chatId = await addChat(database.db)
    const document = newDocument(chatId, ['one', 'two ü😀', 'three'])
    await documents().insert(document)
    const chunks = await chunksOf(graph(), chatId)
    expect(chunks.map(({ text }) => text)).toEqual(['one', 'two ü😀', 'three'])
    const ids = chunks.map(({ chunk_id }) => chunk_id)
    const edges = [...linksOf(chunks, await graph().linkProperties(chatId))]
    const of = (type: string) => edges.filter((edge) => edge.type === type)
    const hasChunk = of('HAS_CHUNK').sort((a, b) => Number(a.properties.order) - Number(b.properties.order))
    expect(hasChunk.map(({ source, target, properties }) => [source, target, properties])).toEqual(
      ids.map((id, order) => [document.fileId, id, { order }]),
    )
    expect(
      of('NEXT')
        .map(({ source, target }) => [source, target])
        .sort(),
    ).toEqual(
      [
        [ids[0], ids[1]],
        [ids[1], ids[2]],
      ].sort(),
    )
    expect(edges).toHaveLength(5)
    const nodes = await graph().documents(chatId)
    expect(nodes).toEqual([
      {
        chunk_count: 3,
        file_id: document.fileId,
        filename: 'note.md',
        created_at: document.createdMs,
        size_bytes: 100,
        properties: '{}',
      },
    ])
  })

  it('read the documents of the index, and every document raises its version', async () => {
    const chatId = await addChat(database.db)
    expect(await retrieval().indexVersion(chatId)).toBe(0)
    const first = newDocument(chatId, ['a', 'b'], {
      createdMs: 1,
      scopeValues: { team: 'x', zero: 0, no: false },
    })
    const second = newDocument(chatId, ['c'], { createdMs: 2, fileId: 'a-file', filename: 'c.txt' })
    await documents().insert(second)
    await documents().insert(first)
    expect(await retrieval().indexVersion(chatId)).toBe(2)
    const chunkIds = (await retrieval().chunksOf(chatId, first.fileId)).map(({ chunkId }) => chunkId)
    const [added, ...others] = await retrieval().documentsSince(chatId, 1)
    expect(others).toEqual([])
    const { fileId, scopeValues } = first
    expect(added).toMatchObject({ fileId, version: 2, filename: 'note.md', scopeValues, chunkIds })
    expect(added?.segment?.format).toBe(first.segment.format)
    expect(Buffer.from(added?.segment?.bytes ?? [])).toEqual(Buffer.from(first.segment.bytes))
    const all = await retrieval().documentsSince(chatId, -1)
    expect(all.map(({ fileId, version }) => [fileId, version]).sort()).toEqual([
      ['a-file', 1],
      [first.fileId, 2],
    ])
    expect(await retrieval().countDocuments(chatId)).toBe(2)
    expect((await retrieval().fileIds(chatId)).sort()).toEqual(['a-file', first.fileId])
    expect(await retrieval().indexVersion('chatnone')).toBeUndefined()
    expect(await retrieval().documentsSince('chatnone', -1)).toEqual([])
  })

  it('read texts of chunks only of one chat', async () => {
    const [mine, theirs] = [await addChat(database.db), await addChat(database.db)]
    await documents().insert(newDocument(mine, ['a', 'b'], { filename: 'm.txt' }))
    await documents().insert(newDocument(theirs, ['c']))
    const ids = [...(await chunksOf(graph(), mine)), ...(await chunksOf(graph(), theirs))].map(
      ({ chunk_id }) => chunk_id,
    )
    const texts = await retrieval().chunkTexts(mine, [...ids, 'chk_none'])
    expect(texts.map(({ text, filename }) => [text, filename]).sort()).toEqual([
      ['a', 'm.txt'],
      ['b', 'm.txt'],
    ])
  })

  it('store a document completely or not at all, and then keep the version', async () => {
    const chatId = await addChat(database.db)
    await documents().insert(newDocument(chatId, ['a'], { fileId: 'same' }))
    const twice = await documents().insert(newDocument(chatId, ['b', 'c'], { fileId: 'same' }))
    expect(twice).toBe('taken')
    const chunk = { order: 0, start: 0, end: 1, text: 'd', page: null, headingPath: [] }
    const content = packText('d', [chunk, chunk], 0)
    expect(await documents().insert(newDocument(chatId, [], { content }))).toBe('taken')
    expect(await documents().insert(newDocument('chatnone', ['f']))).toBe('no_chat')
    expect((await chunksOf(graph(), chatId)).map(({ text }) => text)).toEqual(['a'])
    expect(await graph().documents(chatId)).toHaveLength(1)
    expect(await graph().relationships(chatId, '', 10)).toEqual([])
    expect(await retrieval().indexVersion(chatId)).toBe(1)
  })

  it('raise the version for each of many concurrent documents', async () => {
    const chatId = await addChat(database.db)
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => documents().insert(newDocument(chatId, [`text ${i}`]))),
    )
    expect(await retrieval().indexVersion(chatId)).toBe(20)
    const versions = (await retrieval().documentsSince(chatId, -1)).map(({ version }) => version)
    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
  })

  it('find a document with the same bytes and scope values, in its chat and time window', async () => {
    const [chatId, other] = [await addChat(database.db), await addChat(database.db)]
    const scopeValues = { a: 1, b: 'x' }
    const document = newDocument(chatId, ['a'], { sha256: hash, scopeValues, createdMs: 1000 })
    await documents().insert(document)
    const find = (chat: string, sha: string, scopes: typeof scopeValues | object, since: number) =>
      documents().findDuplicate(chat, sha, scopes as typeof scopeValues, since)
    expect((await find(chatId, hash, scopeValues, 1000))?.file_id).toBe(document.fileId)
    expect(await find(chatId, hash, scopeValues, 1001)).toBeUndefined()
    expect(await find(chatId, 'c'.repeat(64), scopeValues, 0)).toBeUndefined()
    expect(await find(chatId, hash, {}, 0)).toBeUndefined()
    expect(await find(chatId, hash, { a: '1', b: 'x' }, 0)).toBeUndefined()
    expect(await find(other, hash, scopeValues, 0)).toBeUndefined()
  })
})
