import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { documentsOf, type Graph, graphFaults } from '../support/graph.ts'
import { expectRefusal } from '../support/refusal.ts'
import { sampleText } from '../support/samples.ts'
import { tenantStateOf } from '../support/state.ts'

const all = ['ingest', 'read', 'write', 'query', 'admin']

describe.each(sharedServers)('nodes of the graph, on $database', ({ server }) => {
  let admin: Api
  let tenant: Tenant
  let fileId: string
  /** The chunks of the file, in order. */
  let chunkIds: string[]

  beforeAll(async () => {
    admin = Api.admin(server.url)
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url, all)
    fileId = (await upload('guide.md', sampleText(1))).file_id
    chunkIds = await chunksOf(fileId)
    // Loads the index into memory, which each change must update.
    expect(await search('ledger')).not.toEqual([])
  })

  const upload = async (name: string, text: string, { chat, chatId } = tenant) =>
    (await chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, uploadForm(name, text))).body
  const graph = async (): Promise<Graph> => (await admin.ok('GET', `/graph_data/${tenant.chatId}`)).body
  const chunksOf = async (id: string) => {
    const edges = (await graph()).relationships.filter(
      ({ source, type }) => source === id && type === 'HAS_CHUNK',
    )
    return edges
      .toSorted((a, b) => (a.properties.order ?? 0) - (b.properties.order ?? 0))
      .map(({ target }) => target)
  }
  const details = (id: string) => admin.get(`/node_details/${id}`)
  const update = (id: string, body: object, caller = admin) =>
    caller.call('PUT', `/update_node/${id}`, { body })
  const remove = (id: string) => admin.call('DELETE', `/delete_node/${id}`)
  const search = async (query: string) =>
    (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/search`, { query })).body.results
  const events = async () =>
    (await tenant.project.ok('GET', `/v1/${tenant.projectId}/events?type=file_deleted`)).body

  it('have the same details as in the graph', async () => {
    const { nodes } = await graph()
    expect(nodes).toHaveLength(1 + chunkIds.length)
    for (const node of nodes) expect((await details(node.id)).body).toEqual(node)
    expect((await tenant.chat.get(`/node_details/${fileId}`)).body).toMatchObject({
      id: fileId,
      labels: ['Document'],
      properties: { id: fileId, filename: 'guide.md', chatId: tenant.chatId },
    })
    expectRefusal(await details('chk_none'), { status: 404, project: false, names: 'node not found' })
  })

  it('of another chat are a 403 for a key, without any of their content', async () => {
    const other = await createTenant(server.url, all)
    const before = await tenantStateOf(server.url, tenant)
    for (const id of [fileId, chunkIds[0] ?? '']) {
      const answers = [
        await other.chat.get(`/node_details/${id}`),
        await update(id, { text: 'mine', filename: 'mine.txt' }, other.chat),
        await update(id, {}, other.chat),
        await other.chat.call('DELETE', `/delete_node/${id}`),
        await tenant.project.get(`/node_details/${id}`),
      ]
      for (const answer of answers) {
        expectRefusal(answer, { status: 403, project: false, names: 'does not belong' })
        expect(answer.text).not.toContain(tenant.chatId)
      }
      expectRefusal(await new Api(server.url).get(`/node_details/${id}`), { status: 401 })
    }
    expect(await tenantStateOf(server.url, tenant)).toBe(before)
  })

  it('a renamed file has its new name everywhere, and only this name finds it', async () => {
    const { status, body } = await update(fileId, { filename: '../Zeppelin <manual>.md' })
    expect(status).toBe(200)
    expect(body).toEqual((await details(fileId)).body)
    expect(body.properties.filename).toBe('Zeppelin manual.md')
    const [listed] = (await tenant.chat.ok('GET', `/v1/${tenant.chatId}/files`)).body.files
    expect(listed).toMatchObject({ file_id: fileId, filename: 'Zeppelin manual.md' })
    const [found] = await search('zeppelin ledger')
    expect(found).toMatchObject({ file_id: fileId, filename: 'Zeppelin manual.md' })
    expect(await search('guide')).toEqual([])
  })

  it('a file keeps its extension if its new name has no supported one', async () => {
    for (const [wanted, stored] of [
      ['Handbook', 'Handbook.md'],
      ['Handbook v1.2', 'Handbook v1.2.md'],
      ['handbook.exe', 'handbook.exe.md'],
      ['handbook.TXT', 'handbook.TXT'],
    ]) {
      await update(fileId, { filename: 'guide.md' })
      expect((await update(fileId, { filename: wanted })).body.properties.filename).toBe(stored)
    }
  })

  it("a chunk's new text is searched, cited and shown, and the old one is deleted", async () => {
    const [first = '', second = '', third = ''] = chunkIds
    const before = documentsOf(await graph()).get(fileId)?.chunks ?? []
    expect(await search('zeppelin')).toEqual([])
    const text = 'A zeppelin 😀 is moored at the tower.\n\nIts colour is silver.'
    const { status, body } = await update(second, { text })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: second,
      labels: ['Chunk'],
      properties: { id: second, text, chatId: tenant.chatId },
    })
    const [found] = await search('zeppelin')
    expect(found).toMatchObject({ chunk_id: second, chunk_text: text, file_id: fileId })
    const question = { question: 'Which colour has the zeppelin?' }
    const asked = (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/answer_question`, question)).body
    expect(asked.answer).toContain('silver')
    expect(asked.citations[0]).toMatchObject({ chunk_id: second })
    expect(documentsOf(await graph()).get(fileId)?.chunks).toEqual(before.with(1, text))
    expect(await chunksOf(fileId)).toEqual(chunkIds)
    // The ranges of later chunks have moved, and these chunks can be changed, too.
    await update(third, { text: 'The third one is short.' })
    await update(first, { text: `${'The first one is long. '.repeat(100)}` })
    expect((await search('third short'))[0].chunk_id).toBe(third)
    expect(graphFaults(await graph())).toEqual([])
  })

  it('after an edit, uploading the original bytes is not a duplicate', async () => {
    await update(chunkIds[0] ?? '', { text: 'Edited.' })
    expect(await upload('guide.md', sampleText(1))).not.toHaveProperty('duplicate')
  })

  it('NUL and lone surrogates in a text are replaced, as in documents', async () => {
    const { body } = await update(chunkIds[0] ?? '', { text: 'a\0b \ud800 c' })
    expect(body.properties.text).toBe('a\ufffdb \ufffd c')
  })

  it('custom properties are added to earlier ones, and null deletes them', async () => {
    for (const id of [fileId, chunkIds[0] ?? '']) {
      const own = {
        colour: 'b\0lue',
        weight: 0,
        hidden: false,
        tags: ['a', 1, true],
        größe: 1.5,
        __proto__x: 'y',
      }
      const before = (await details(id)).body.properties
      expect((await update(id, own)).body.properties).toEqual({ ...before, ...own })
      const changed = (await update(id, { colour: null, weight: 2, gone: null })).body.properties
      const { colour: _, ...rest } = own
      expect(changed).toEqual({ ...before, ...rest, weight: 2 })
      const shown = (await graph()).nodes.find((node) => node.id === id)
      expect(shown?.properties).toEqual(changed)
    }
    expect(graphFaults(await graph())).toEqual([])
  })

  it('fixed properties and embeddings cannot be set', async () => {
    const fixed = {
      id: 'x',
      type: 'Other',
      labels: ['Other'],
      chatId: 'x',
      chat_id: 'x',
      uploadDate: 0,
      sizeBytes: 0,
      embedding: [0.1, 0.2],
      embeddings: { a: 1 },
    }
    const before = await tenantStateOf(server.url, tenant)
    for (const id of [fileId, chunkIds[0] ?? '']) {
      for (const body of [{}, fixed, { text: null, filename: null, id: 1 }]) {
        const wanted = 'filename' in body && id !== fileId
        const answer = await update(id, body)
        if (wanted) expect(answer.status).toBe(200)
        else expectRefusal(answer, { status: 400, project: false, names: 'nothing' })
      }
    }
    expect(await tenantStateOf(server.url, tenant)).toBe(before)
    const { body } = await update(chunkIds[0] ?? '', { ...fixed, note: 'kept' })
    expect(body.properties).toMatchObject({ id: chunkIds[0], chatId: tenant.chatId, note: 'kept' })
    expect(body.properties).not.toHaveProperty('embedding')
    expect(body.labels).toEqual(['Chunk'])
  })

  it('properties that are nested, too long or too many are rejected, and nothing is changed', async () => {
    const before = await tenantStateOf(server.url, tenant)
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`p${n}`, n]))
    const wrong: [object, string][] = [
      [{ a: {} }, 'a '],
      [{ a: [[1]] }, 'a '],
      [{ a: [{}] }, 'a '],
      [{ a: 'x'.repeat(10_001) }, 'a '],
      [{ a: Array(101).fill(1) }, 'a '],
      [{ '': 1 }, 'property name'],
      [{ ' ': 1 }, 'property name'],
      [{ 'a\0b': 1 }, 'property name'],
      [{ ['x'.repeat(101)]: 1 }, 'property name'],
      [many, '50'],
      [Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`p${n}`, 'x'.repeat(9999)])), 'together'],
    ]
    for (const [body, names] of wrong) {
      for (const id of [fileId, chunkIds[0] ?? '']) {
        expectRefusal(
          await update(id, { ...body, text: 'x' }),
          { status: 400 },
          JSON.stringify(body).slice(0, 40),
        )
        expectRefusal(await update(id, body), { status: 400, project: false, names })
      }
    }
    expectRefusal(await update(fileId, { text: 'x' }), { status: 400, names: 'text' })
    const infinite = await admin.call('PUT', `/update_node/${fileId}`, { body: '{"a":1e400}' })
    expectRefusal(infinite, { status: 400, names: 'a ' })
    expect(await tenantStateOf(server.url, tenant)).toBe(before)
  })

  it('a document is deleted with its chunks, and the event is written', async () => {
    const kept = await upload('kept.md', sampleText(2))
    const before = await graph()
    const mine = [fileId, ...chunkIds]
    const edges = before.relationships.filter(
      ({ source, target }) => mine.includes(source) || mine.includes(target),
    )
    expect((await remove(fileId)).body).toEqual({
      status: 'success',
      message: expect.stringContaining('guide.md'),
      nodes_deleted: mine.length,
      relationships_deleted: edges.length,
    })
    const after = await graph()
    expect([...documentsOf(after).keys()]).toEqual([kept.file_id])
    expect(graphFaults(after)).toEqual([])
    expect(await events()).toMatchObject([{ data: { file_id: fileId, chunks_removed: chunkIds.length } }])
    expectRefusal(await remove(fileId), { status: 404, names: 'node not found' })
  })

  it.each([
    ['first', 0],
    ['a middle', 2],
    ['the last', -1],
  ])('%s chunk is deleted, and NEXT connects its neighbours', async (_, at) => {
    const gone = chunkIds.at(at) ?? ''
    const before = await graph()
    const texts = documentsOf(before).get(fileId)?.chunks ?? []
    const { body } = await remove(gone)
    expect(body).toMatchObject({ status: 'success', nodes_deleted: 1 })
    const after = await graph()
    expect(graphFaults(after)).toEqual([])
    expect(after.nodes).toHaveLength(before.nodes.length - 1)
    expect(after.relationships).toHaveLength(before.relationships.length - body.relationships_deleted)
    const place = chunkIds.indexOf(gone)
    expect(await chunksOf(fileId)).toEqual(chunkIds.toSpliced(place, 1))
    expect(documentsOf(after).get(fileId)?.chunks).toEqual(texts.toSpliced(place, 1))
    const status = await tenant.chat.ok('GET', `/v1/${tenant.chatId}/files/${fileId}/status`)
    expect(status.body.chunk_count).toBe(chunkIds.length - 1)
    const found = await search(texts[place]?.slice(0, 300) ?? '')
    expect(found.map((entry: { chunk_id: string }) => entry.chunk_id)).not.toContain(gone)
    expectRefusal(await details(gone), { status: 404 })
    expect(await events()).toEqual([])
  })

  it('deleting the last chunk deletes its document', async () => {
    for (const id of chunkIds.slice(1)) await admin.ok('DELETE', `/delete_node/${id}`)
    const { body } = await remove(chunkIds[0] ?? '')
    expect(body).toEqual({
      status: 'success',
      message: expect.stringContaining('guide.md'),
      nodes_deleted: 2,
      relationships_deleted: 1,
    })
    expect(await graph()).toEqual({ nodes: [], relationships: [] })
    expect(await events()).toMatchObject([{ data: { file_id: fileId, chunks_removed: 1 } }])
  })

  it('a chunk is deleted once by many concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => remove(chunkIds[1] ?? '')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404, 404])
    expect(graphFaults(await graph())).toEqual([])
  })

  it('concurrent deletions and edits of all chunks leave no partial document', async () => {
    const other = (await upload('other.md', sampleText(8))).file_id
    const others = await chunksOf(other)
    const answers = await Promise.all([
      ...chunkIds.map(remove),
      ...others.filter((_, n) => n % 2 === 0).map(remove),
      ...others.map((id, n) => update(id, { text: `Text number ${n}.` })),
      ...others.map((id) => update(id, { mark: 1 })),
    ])
    expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true)
    const after = await graph()
    expect(graphFaults(after)).toEqual([])
    expect([...documentsOf(after).keys()]).toEqual([other])
    expect(await events()).toHaveLength(1)
  })
})
