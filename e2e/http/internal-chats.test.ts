import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Api, createTenant, parseEvents, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { documentsOf, type Graph, graphFaults } from '../support/graph.ts'
import { expectRefusal } from '../support/refusal.ts'
import { sampleText } from '../support/samples.ts'
import { tenantStateOf } from '../support/state.ts'

const all = ['ingest', 'read', 'write', 'query', 'admin']

describe.each(sharedServers)('chats at internal endpoints, on $database', ({ server }) => {
  let admin: Api
  let tenant: Tenant

  beforeAll(async () => {
    admin = Api.admin(server.url)
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url, all)
  })

  const upload = async (name: string, text: string, { chat, chatId } = tenant) =>
    (await chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, uploadForm(name, text))).body
  const graph = async (chatId = tenant.chatId): Promise<Graph> =>
    (await admin.ok('GET', `/graph_data/${chatId}`)).body
  const deletions = async ({ project, projectId } = tenant) =>
    (await project.ok('GET', `/v1/${projectId}/events?type=file_deleted`)).body
  const cleanUp = (chatId: string, query = '', caller = admin) =>
    caller.call('POST', `/cleanup_chat_data/${chatId}${query}`)

  it('a context is removed with its chunks, and the event is written', async () => {
    const { file_id, chunk_count } = await upload('a.md', sampleText(1))
    const { nodes } = await graph()
    const removed = await admin.ok('DELETE', `/remove_context/${file_id}`)
    expect(removed.body).toEqual({
      status: 'success',
      message: expect.stringContaining('a.md'),
      nodes_deleted: nodes.length,
    })
    expect(nodes).toHaveLength(1 + chunk_count)
    expect(await graph()).toEqual({ nodes: [], relationships: [] })
    expect(await deletions()).toMatchObject([{ data: { file_id, chunks_removed: chunk_count } }])
    for (const id of [file_id, nodes[1]?.id, 'none']) {
      expectRefusal(await admin.call('DELETE', `/remove_context/${id}`), {
        status: 404,
        names: 'file not found',
      })
    }
  })

  it('the contents of a chat are listed correctly', async () => {
    const empty = (await admin.ok('GET', `/debug_chat_data/${tenant.chatId}`)).body
    expect(empty).toEqual({
      chat_id: tenant.chatId,
      search_prefix: tenant.chatId,
      documents_found: 0,
      total_chunks: 0,
      documents: [],
    })
    const files = [await upload('a.md', sampleText(1)), await upload('b.md', sampleText(2))]
    const { body } = await tenant.chat.ok('GET', `/debug_chat_data/${tenant.chatId}`)
    expect(body).toEqual({
      chat_id: tenant.chatId,
      search_prefix: tenant.chatId,
      documents_found: 2,
      total_chunks: files[0].chunk_count + files[1].chunk_count,
      documents: files.map(({ file_id, filename, chunk_count }) => ({
        chatId: tenant.chatId,
        docId: file_id,
        filename,
        chunk_count,
      })),
    })
  })

  it('all documents of a chat are deleted, with an event for each, and the chat stays', async () => {
    const other = await createTenant(server.url, all)
    await upload('kept.md', sampleText(9), other)
    const files = [await upload('a.md', sampleText(1)), await upload('b.md', sampleText(2))]
    const before = await graph()
    const { body } = await tenant.chat.ok('DELETE', `/delete_chat_nodes/${tenant.chatId}`)
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      nodes_deleted: before.nodes.length,
      relationships_deleted: before.relationships.length,
    })
    expect(await graph()).toEqual({ nodes: [], relationships: [] })
    const found = await tenant.chat.ok('POST', `/v1/${tenant.chatId}/search`, { query: 'ledger river' })
    expect(found.body.results).toEqual([])
    const told = (await deletions()).map(({ data }: { data: { file_id: string } }) => data.file_id)
    expect(told.toSorted()).toEqual(files.map(({ file_id }) => file_id).toSorted())
    expect((await graph(other.chatId)).nodes.length).toBeGreaterThan(1)
    expect((await admin.ok('DELETE', `/delete_chat_nodes/${tenant.chatId}`)).body).toMatchObject({
      nodes_deleted: 0,
      relationships_deleted: 0,
    })
    expect(await upload('a.md', sampleText(1))).not.toHaveProperty('duplicate')
  })

  it('a chat is emptied repeatedly during concurrent uploads: each document exists completely or not at all', async () => {
    const { chatId } = tenant
    const write = (n: number) =>
      admin.ok('POST', '/create_nodes_and_embeddings', {
        pdf_text: sampleText(n),
        pdf_id: `${chatId}-${n}`,
        chat_id: chatId,
        filename: `paper ${n}.pdf`,
      })
    let writing = true
    const emptying = (async () => {
      while (writing) await admin.ok('DELETE', `/delete_chat_nodes/${chatId}`)
    })()
    for (let n = 0; n < 120; n += 6) {
      await Promise.all(Array.from({ length: 6 }, (_, more) => write(n + more)))
    }
    writing = false
    await emptying
    const left = await graph()
    expect(graphFaults(left)).toEqual([])
    const deleted = await tenant.project.ok(
      'GET',
      `/v1/${tenant.projectId}/events?type=file_deleted&limit=1000`,
    )
    expect(deleted.body.length + documentsOf(left).size).toBe(120)
  })

  it('a clean-up deletes a chat and the other named chats completely', async () => {
    const [child, alternative, bystander] = [
      await createTenant(server.url, all),
      await createTenant(server.url, all),
      await createTenant(server.url, all),
    ]
    for (const one of [tenant, child, alternative, bystander]) await upload('a.md', sampleText(3), one)
    const size = await graph()
    const children = [
      '',
      ' ',
      'chat00000000000000000000',
      child.chatId,
      `${child.chatId} `,
      tenant.chatId,
    ].join()
    const query = `?convex_id=${alternative.chatId}&child_chat_ids=${encodeURIComponent(children)}`
    const { status, body } = await cleanUp(tenant.chatId, query)
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      nodes_deleted: 3 * size.nodes.length,
      relationships_deleted: 3 * size.relationships.length,
      debug_info: {
        parent_chat_id: tenant.chatId,
        child_chat_ids: [child.chatId],
        total_chat_ids_processed: 3,
        documents_found_before_deletion: 3,
      },
    })
    for (const { chatId, chat, projectId, project } of [tenant, child, alternative]) {
      expect((await admin.get(`/v1/console/chats/${chatId}`)).status).toBe(404)
      expectRefusal(await admin.get(`/graph_data/${chatId}`), { status: 404, project: false })
      expectRefusal(await cleanUp(chatId), { status: 404, names: 'chat not found' })
      expectRefusal(await chat.get(`/v1/${chatId}/info`), { status: 401 })
      const told = async () =>
        (await project.ok('GET', `/v1/${projectId}/events?type=file_deleted`)).body.length
      await expect.poll(told, { timeout: 30_000, interval: 50 }).toBe(1)
    }
    expect((await bystander.chat.get(`/v1/${bystander.chatId}/info`)).status).toBe(200)
    expect((await graph(bystander.chatId)).nodes).toHaveLength(size.nodes.length)
  })

  it('an unknown chat is not found, even if another named chat exists', async () => {
    const unknown = 'chat00000000000000000000'
    const before = await tenantStateOf(server.url, tenant)
    expectRefusal(await cleanUp(unknown, `?convex_id=${tenant.chatId}`), { status: 404 })
    expectRefusal(await cleanUp(tenant.chatId, '?convex_id=a%00b'), { status: 400, names: 'convex_id' })
    expect(await tenantStateOf(server.url, tenant)).toBe(before)
  })

  it('a key with admin can clean up its own chat, but cannot name another one', async () => {
    const other = await createTenant(server.url, all)
    const before = await tenantStateOf(server.url, tenant)
    for (const query of [
      `?convex_id=${other.chatId}`,
      `?child_chat_ids=${other.chatId}`,
      `?child_chat_ids=${tenant.chatId},${other.chatId}`,
      '?convex_id=unknown',
    ]) {
      expectRefusal(await cleanUp(tenant.chatId, query, tenant.chat), { status: 403, names: 'own' })
    }
    expectRefusal(await cleanUp(tenant.chatId, '', other.chat), { status: 403 })
    expectRefusal(await cleanUp(tenant.chatId, '', tenant.project), { status: 403 })
    expectRefusal(await cleanUp(tenant.chatId, '', new Api(server.url)), { status: 401 })
    const plain = await admin.ok('POST', `/v1/console/chats/${tenant.chatId}/keys`, {})
    expectRefusal(await cleanUp(tenant.chatId, '', admin.withKey(plain.body.api_key)), { status: 403 })
    await admin.ok('DELETE', `/v1/console/keys/${plain.body.key_id}`)
    expect(await tenantStateOf(server.url, tenant)).toBe(before)
    const own = `?convex_id=${tenant.chatId}&child_chat_ids=${tenant.chatId}`
    expect((await cleanUp(tenant.chatId, own, tenant.chat)).body).toMatchObject({
      debug_info: { child_chat_ids: [], total_chat_ids_processed: 1 },
    })
    expectRefusal(await cleanUp(tenant.chatId, '', tenant.chat), { status: 401 })
  })

  it('questions are answered with the draft settings, published or not', async () => {
    const kept = await upload('kept.txt', 'The lamp in the hall is blue.')
    await upload('hidden.txt', 'The lamp in the shed is red.')
    const chat = `/v1/console/chats/${tenant.chatId}`
    await admin.ok('PATCH', chat, { settings: { context_files: [kept.file_id] } })
    const question = { chat_id: tenant.chatId, question: 'Which colour has the lamp?' }
    const filesOf = ({ context }: { context: { file_id: string }[] }) => context.map((entry) => entry.file_id)
    const published = await tenant.chat.ok('POST', `/v1/${tenant.chatId}/answer_question`, question)
    expect(filesOf(published.body)).toHaveLength(2)
    const { body } = await tenant.chat.ok('POST', '/answer_question', question)
    expect(body).toMatchObject({ chat_id: tenant.chatId, model: 'cairn-extractive' })
    expect(filesOf(body)).toEqual([kept.file_id])
    await admin.ok('POST', `${chat}/unpublish`)
    const again = (await admin.ok('POST', '/answer_question', question)).body
    expect(again).toEqual({ ...body, answer_id: again.answer_id })
    const events = parseEvents((await admin.ok('POST', '/answer_question_stream', question)).text)
    expect(events[0]).toEqual({ type: 'context', data: body.context })
    expect(events.at(-1)).toEqual({
      type: 'end',
      data: { usage: body.usage, model: body.model, answer_id: expect.stringMatching(/^trc_/) },
    })
    const pieces = events.slice(1, -1).map(({ data }) => data)
    expect(pieces.join('')).toBe(body.answer)
    const traces = await tenant.project.ok('GET', `/v1/${tenant.projectId}/analytics/traces`)
    expect(traces.body).toHaveLength(4)
  })
})
