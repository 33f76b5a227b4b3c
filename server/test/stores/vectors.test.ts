import { expect, it } from 'vitest'
import { invalidateSegment } from '../../src/domains/retrieval/index.ts'
import { createRetrievalStore } from '../../src/domains/retrieval/store.ts'
import { createVectorStore, type VectorSpaceRow } from '../../src/domains/retrieval/store-vectors.ts'
import { describeEachDatabase } from '../databases.ts'
import { documentStores } from '../document-stores.ts'
import { addChat, newDocument } from '../rows.ts'

const space = (spaceId: string, values: Partial<VectorSpaceRow> = {}): VectorSpaceRow => ({
  spaceId,
  kind: 'lsa',
  model: 'lsa',
  dimensions: 2,
  fit: new Uint8Array([1, 2, 3]),
  chunkCount: 7,
  ...values,
})

describeEachDatabase('the vector store', (database) => {
  const documents = () => documentStores(database.db).documents
  const retrieval = () => createRetrievalStore(database.db)
  const vectors = () => createVectorStore(database.db)

  /** A chat with a space and two documents, and their versions. */
  async function prepare() {
    const chatId = await addChat(database.db)
    const [a, b, c] = [`${chatId}-a`, `${chatId}-b`, `${chatId}-c`]
    for (const fileId of [a, b]) await documents().insert(newDocument(chatId, [fileId, fileId], { fileId }))
    await vectors().addSpace(chatId, space('s1'))
    const versions = new Map(
      (await retrieval().documentsSince(chatId, -1)).map(({ fileId, version }) => [fileId, version]),
    )
    const made = (fileId: string) => ({
      fileId,
      version: versions.get(fileId) ?? -1,
      vectors: Float32Array.of(1, 0, 0.6, 0.8),
    })
    return { chatId, made, a, b, c }
  }

  const floats = (bytes: Uint8Array) => [...new Float32Array(new Uint8Array(bytes).buffer)]

  it('reads a space after its activation, and prefers a provider to the local method', async () => {
    const { chatId } = await prepare()
    expect(await vectors().activeSpaces(chatId)).toEqual([])
    await vectors().activate(chatId, space('s1'))
    const [active] = await vectors().activeSpaces(chatId)
    expect(active).toMatchObject({ spaceId: 's1', kind: 'lsa', dimensions: 2, chunkCount: 7 })
    expect([...(active?.fit ?? [])]).toEqual([1, 2, 3])
    await vectors().addSpace(chatId, space('s2', { kind: 'embedding', model: 'm', fit: null }))
    await vectors().activate(chatId, { spaceId: 's2', kind: 'embedding' })
    expect(await vectors().activeSpaces(chatId)).toMatchObject([
      { spaceId: 's2', model: 'm', fit: null },
      { spaceId: 's1' },
    ])
  })

  it('stores only vectors of documents that have not changed since, and raises the version', async () => {
    const { chatId, made, a, b, c } = await prepare()
    const before = (await retrieval().indexVersion(chatId)) ?? 0
    expect((await vectors().documentsToProject(chatId, 's1')).map(({ fileId }) => fileId)).toEqual([a, b])
    await database.db.transaction((trx) => invalidateSegment(trx, chatId, b).then(() => undefined))
    await documents().insert(newDocument(chatId, ['c'], { fileId: c }))
    await vectors().addVectors(chatId, 's1', [made(a), { ...made(b), version: 99 }, made('gone')])
    const [kept, ...others] = await vectors().vectorsSince(chatId, 's1', before)
    expect(others).toEqual([])
    expect(kept?.fileId).toBe(a)
    expect(floats(kept?.vectors ?? new Uint8Array())[3]).toBeCloseTo(0.8)
    expect(await vectors().vectorsSince(chatId, 's1', 99)).toEqual([])
    // A document without a segment cannot be projected.
    expect((await vectors().documentsToProject(chatId, 's1')).map(({ fileId }) => fileId)).toEqual([c])
    expect((await vectors().documentsToProject(chatId)).map(({ fileId }) => fileId)).toEqual([a, c])
  })

  it('deletes vectors with the document, its text, its space and its chat', async () => {
    const { chatId, made, a, b } = await prepare()
    const left = async () =>
      (await vectors().vectorsSince(chatId, 's1', -1)).map(({ fileId }) => fileId).sort()
    await vectors().addVectors(chatId, 's1', [made(a), made(b)])
    expect(await left()).toEqual([a, b])
    await database.db.transaction((trx) => invalidateSegment(trx, chatId, a))
    expect(await left()).toEqual([b])
    await database.db.transaction((trx) =>
      trx.deleteFrom('document_rows').where('chat_id', '=', chatId).where('file_id', '=', b).execute(),
    )
    expect(await left()).toEqual([])
    await vectors().addSpace(chatId, space('s2'))
    await vectors().activate(chatId, space('s2'))
    const spaces = database.db.read.selectFrom('vector_spaces').select('space_id')
    expect(await spaces.where('chat_id', '=', chatId).execute()).toEqual([{ space_id: 's2' }])
  })

  it('activates a space of embeddings when it contains all documents, and deletes the previous space', async () => {
    const chatId = await addChat(database.db)
    const embedded = (spaceId: string) => ({
      spaceId,
      model: spaceId,
      dimensions: 2,
      vectors: Float32Array.of(0, 1),
    })
    const active = async () => (await vectors().activeSpaces(chatId)).map(({ spaceId }) => spaceId)
    const first = newDocument(chatId, ['a'], { embedding: embedded('e1') })
    await documents().insert(first)
    expect(await active()).toEqual(['e1'])
    const [kept] = await vectors().vectorsSince(chatId, 'e1', 0)
    expect(kept?.fileId).toBe(first.fileId)
    expect(floats(kept?.vectors ?? new Uint8Array())).toEqual([0, 1])
    await documents().insert(newDocument(chatId, ['b'], { embedding: embedded('e2') }))
    expect(await active()).toEqual(['e1'])
    const [missing, ...others] = await vectors().documentsToProject(chatId, 'e2')
    expect([missing?.fileId, others]).toEqual([first.fileId, []])
    await vectors().activateIfComplete(chatId, 'e2')
    expect(await active()).toEqual(['e1'])
    const made = { fileId: first.fileId, version: missing?.version ?? -1, vectors: Float32Array.of(1, 0) }
    await vectors().addVectors(chatId, 'e2', [made])
    await vectors().activateIfComplete(chatId, 'e2')
    expect(await active()).toEqual(['e2'])
    expect(await vectors().vectorsSince(chatId, 'e1', -1)).toEqual([])
    expect(await vectors().vectorsSince(chatId, 'e2', -1)).toHaveLength(2)
  })

  it('enqueues one job per version', async () => {
    const chatId = await addChat(database.db)
    await vectors().requestJob(chatId, 3)
    await vectors().requestJob(chatId, 3)
    await vectors().requestJob(chatId, 4)
    const jobs = await database.db.read
      .selectFrom('jobs')
      .select('payload')
      .where('queue', '=', 'vectors')
      .execute()
    expect(jobs.filter(({ payload }) => payload.includes(chatId))).toHaveLength(2)
  })
})
