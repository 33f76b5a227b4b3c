import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { type Graph, graphFaults } from '../support/graph.ts'
import { expectRefusal } from '../support/refusal.ts'
import { sampleText } from '../support/samples.ts'
import { type Server, startServer } from '../support/server.ts'
import { stateOf } from '../support/state.ts'
import { tamper } from '../support/tamper.ts'

const all = ['ingest', 'read', 'write', 'query', 'admin']
const types = ['EXPLAINS', 'SUPPORTS', 'ELABORATES', 'INTRODUCES', 'CONCLUDES']

describe.each(databases)('relationships of the graph, on $database', ({ env }) => {
  let environment: Record<string, string>
  let server: Server
  let admin: Api
  let tenant: Tenant
  let other: Tenant
  let fileId: string
  let a: string
  let b: string

  beforeAll(async () => {
    environment = await env()
    server = await startServer({ env: environment })
    admin = Api.admin(server.url)
    other = await createTenant(server.url, all)
    await upload('other.md', sampleText(1), other)
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url, all)
    fileId = (await upload('guide.md', sampleText(1))).file_id
    const second = await upload('second.md', sampleText(2))
    ;[a, b] = [(await chunksOf(fileId))[0] ?? '', (await chunksOf(second.file_id))[1] ?? '']
  })
  afterAll(async () => {
    await server?.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  const upload = async (name: string, text: string, { chat, chatId } = tenant) =>
    (await chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, uploadForm(name, text))).body
  const graph = async ({ chatId } = tenant): Promise<Graph> =>
    (await admin.ok('GET', `/graph_data/${chatId}`)).body
  const chunksOf = async (id: string) =>
    (await graph()).relationships
      .filter(({ source, type }) => source === id && type === 'HAS_CHUNK')
      .map(({ target }) => target)
  const create = (more: object = {}, caller = admin) =>
    caller.post('/create_relationship', {
      source_id: a,
      target_id: b,
      relationship_type: 'SUPPORTS',
      ...more,
    })
  const update = (id: string, body: object, caller = admin) =>
    caller.call('PUT', `/update_relationship/${id}`, { body })
  const remove = (id: string, caller = admin) => caller.call('DELETE', `/delete_relationship/${id}`)
  const shown = async (id: string) => (await graph()).relationships.find((edge) => edge.id === id)

  it.each(types)('of type %s can be created between chunks, with properties', async (relationship_type) => {
    const properties = { confidence: 0, ai_generated: false, note: 'by hand' }
    const { status, body } = await create({ relationship_type, properties }, tenant.chat)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^rel_[0-9a-z]{20}$/),
      source: a,
      target: b,
      type: relationship_type,
      properties,
    })
    expect(await shown(body.id)).toEqual(body)
    expect(graphFaults(await graph())).toEqual([])
  })

  it('are all in the graph of a chat with many, and only if both ends are', async () => {
    const { chatId } = tenant
    const made = (await create()).body
    const row = (id: string, target: string) =>
      `select '${chatId}', ${id}, '${a}', ${target}, 'SUPPORTS', '{}' from n`
    const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500)'
    const columns = '(chat_id, relationship_id, source_id, target_id, type, properties)'
    const insert = (id: string, target: string) =>
      `${numbers} insert into relationships ${columns} ${row(id, target)}`
    const place = { dataDir: server.dataDir, env: environment }
    await tamper(place, insert(`'rel_many' || i`, `'${b}'`), insert(`'rel_gone' || i`, `'chk_gone'`))
    const ids = (await graph()).relationships
      .filter(({ source, type, properties }) => source === a && type === 'SUPPORTS' && !properties.method)
      .map(({ id }) => id)
    const expected = Array.from({ length: 1500 }, (_, index) => `rel_many${index + 1}`)
    expect(ids.toSorted()).toEqual([...expected, made.id].toSorted())
  })

  it('number at most 200 of a chunk, in both directions together', async () => {
    const place = { dataDir: server.dataDir, env: environment }
    const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 199)'
    const columns = '(chat_id, relationship_id, source_id, target_id, type, properties)'
    const row = `select '${tenant.chatId}', 'rel_${a}_' || i, '${b}', '${a}', 'SUPPORTS', '{}' from n`
    await tamper(place, `${numbers} insert into relationships ${columns} ${row}`)
    expect((await create()).status).toBe(200)
    expectRefusal(await create(), { status: 409, names: '200 relationships' })
  })

  it('need no properties; null means none', async () => {
    for (const properties of [undefined, null, {}, { confidence: null, x: null, id: 'y', type: 'Z' }]) {
      expect((await create({ properties })).body.properties).toEqual({})
    }
  })

  it('are updated in the given properties only', async () => {
    const { id } = (await create({ properties: { confidence: 0.5, note: 'a' } })).body
    const { status, body } = await update(id, { confidence: 1, ai_generated: true, source: b, type: 'NEXT' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id,
      source: a,
      target: b,
      type: 'SUPPORTS',
      properties: { confidence: 1, note: 'a', ai_generated: true },
    })
    expect((await update(id, { note: null, confidence: null })).body.properties).toEqual({
      ai_generated: true,
    })
    expect(await shown(id)).toMatchObject({ properties: { ai_generated: true } })
    for (const nothing of [{}, { id: 'x', type: 'NEXT', source_id: b, order: 3 }]) {
      expectRefusal(await update(id, nothing), { status: 400, project: false, names: 'property' })
    }
  })

  it('are deleted one by one', async () => {
    const [first, second] = [(await create()).body, (await create()).body]
    expect((await remove(first.id, tenant.chat)).body).toEqual({
      status: 'success',
      message: expect.any(String),
      nodes_deleted: 0,
      relationships_deleted: 1,
    })
    expect(await shown(first.id)).toBeUndefined()
    expect(await shown(second.id)).toEqual(second)
    for (const answer of [await remove(first.id), await update(first.id, { x: 1 })]) {
      expectRefusal(answer, { status: 404, project: false, names: 'relationship not found' })
    }
  })

  it('HAS_CHUNK and NEXT accept properties, and can neither be created nor deleted', async () => {
    const before = await graph()
    for (const type of ['HAS_CHUNK', 'NEXT']) {
      const edge = before.relationships.find((each) => each.type === type)
      expectRefusal(await remove(edge?.id ?? ''), { status: 400, project: false, names: type })
      expectRefusal(await create({ relationship_type: type }), { status: 400, names: 'relationship_type' })
      const noted = (await update(edge?.id ?? '', { note: 'kept', order: 99 })).body
      expect(noted).toEqual({ ...edge, properties: { ...edge?.properties, note: 'kept' } })
    }
    const after = await graph()
    expect(graphFaults(after)).toEqual([])
    expect(after.relationships).toHaveLength(before.relationships.length)
  })

  it('HAS_CHUNK and NEXT keep their ids and properties as long as they exist', async () => {
    const chunks = await chunksOf(fileId)
    const [first = '', second = '', third = ''] = chunks
    const between = (source: string, target: string) =>
      graph().then(({ relationships }) =>
        relationships.find((edge) => edge.source === source && edge.target === target),
      )
    const hasSecond = await between(fileId, second)
    const next = await between(first, second)
    const last = await between(chunks.at(-2) ?? '', chunks.at(-1) ?? '')
    expect(next?.id).toBe(first.replace(/^chk_(.*)$/, 'rel_$1n'))
    for (const edge of [hasSecond, next, last]) {
      expect((await update(edge?.id ?? '', { note: 'mine' })).status).toBe(200)
    }
    await admin.ok('PUT', `/update_node/${second}`, { text: 'Another text.' })
    expect(await between(fileId, second)).toEqual({ ...hasSecond, properties: { order: 1, note: 'mine' } })
    await admin.ok('DELETE', `/delete_node/${second}`)
    expect(await shown(hasSecond?.id ?? '')).toBeUndefined()
    expect(await between(first, third)).toEqual({ ...next, target: third, properties: { note: 'mine' } })
    await admin.ok('DELETE', `/delete_node/${chunks.at(-1)}`)
    expect(await shown(last?.id ?? '')).toBeUndefined()
    expectRefusal(await update(last?.id ?? '', { x: 1 }), {
      status: 404,
      project: false,
      names: 'relationship not found',
    })
    expect(graphFaults(await graph())).toEqual([])
  })

  it('are rejected from a chunk to itself, and to or from a document', async () => {
    const before = await stateOf(server.url, tenant)
    expectRefusal(await create({ target_id: a }), { status: 400, names: 'target_id' })
    expectRefusal(await create({ source_id: fileId }), { status: 400, names: 'source_id' })
    expectRefusal(await create({ target_id: fileId }), { status: 400, names: 'target_id' })
    for (const properties of [{ confidence: 1.01 }, { confidence: '1' }, { ai_generated: 1 }, { x: {} }]) {
      expectRefusal(await create({ properties }), { status: 400, project: false })
    }
    expect(await stateOf(server.url, tenant)).toBe(before)
  })

  it('need two nodes of one chat: an unknown node is a 404, and a node of another chat a 403 for a key', async () => {
    const before = await stateOf(server.url, tenant)
    const theirs = (await graph(other)).nodes.find(({ labels }) => labels[0] === 'Chunk')?.id
    for (const field of ['source_id', 'target_id']) {
      for (const caller of [admin, tenant.chat, other.chat]) {
        expectRefusal(await create({ [field]: 'chk_none' }, caller), { status: 404, names: 'node not found' })
        expectRefusal(await create({ [field]: 'a\0b' }, caller), { status: 404, names: 'node not found' })
      }
      const foreign = await create({ [field]: theirs, relationship_type: 'LIKES' }, tenant.chat)
      expectRefusal(foreign, { status: 403, names: 'does not belong' })
      expectRefusal(await create({ [field]: theirs }), {
        status: 404,
        project: false,
        names: 'node not found',
      })
    }
    expect(await stateOf(server.url, tenant)).toBe(before)
  })

  it('of another chat are rejected for a key', async () => {
    const { id } = (await create()).body
    const before = await stateOf(server.url, tenant)
    for (const caller of [other.chat, tenant.project]) {
      for (const answer of [
        await update(id, {}, caller),
        await remove(id, caller),
        await create({}, caller),
      ]) {
        expectRefusal(answer, { status: 403, project: false, names: 'does not belong' })
      }
    }
    expectRefusal(await remove(id, new Api(server.url)), { status: 401 })
    expect(await stateOf(server.url, tenant)).toBe(before)
  })

  it('let a search find chunks that do not match by themselves', async () => {
    const found = async () => {
      const { results } = (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/search`, { query: 'zeppelin' }))
        .body
      return results.map(({ file_id }: { file_id: string }) => file_id)
    }
    const [one, two] = [
      (await upload('one.txt', 'The zeppelin is moored.')).file_id,
      (await upload('two.txt', 'A rope of nine pounds.')).file_id,
    ]
    expect(await found()).toEqual([one])
    const ends = { source_id: (await chunksOf(one))[0], target_id: (await chunksOf(two))[0] }
    const { id } = (await create(ends)).body
    expect(await found()).toEqual([one, two])
    await update(id, { confidence: 0 })
    expect(await found()).toEqual([one])
    await update(id, { confidence: 0.9 })
    expect(await found()).toEqual([one, two])
    await remove(id)
    expect(await found()).toEqual([one])
  })

  it('are deleted with a node at either end', async () => {
    const { id } = (await create()).body
    const back = (await create({ source_id: b, target_id: a })).body
    const { body } = await admin.ok('DELETE', `/delete_node/${a}`)
    // HAS_CHUNK, NEXT and the two relationships of this test.
    expect(body.relationships_deleted).toBe(4)
    for (const gone of [id, back.id]) expect(await shown(gone)).toBeUndefined()
    expect(graphFaults(await graph())).toEqual([])
  })

  it('created while their nodes are deleted never have missing ends', async () => {
    for (let round = 0; round < 5; round++) {
      const { file_id } = await upload(`f${round}.md`, sampleText(round))
      const chunks = await chunksOf(file_id)
      await Promise.all([
        ...chunks.flatMap((chunk) => [
          create({ source_id: chunk }),
          create({ target_id: chunk }),
          create({ source_id: chunk }),
        ]),
        admin.call('DELETE', `/delete_node/${file_id}`),
        ...chunks.slice(2).map((chunk) => create({ source_id: chunk })),
      ])
      expect(graphFaults(await graph())).toEqual([])
    }
  })
})
