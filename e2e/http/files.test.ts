import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { Receiver } from '../support/receiver.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'
import { tamper } from '../support/tamper.ts'
import { tinyPdf } from '../support/tiny-pdf.ts'

const guide =
  '# Lamps\n\nThe lamp in the hall is blue.\n\n# Doors\n\nThe door of the shed is locked at nine.\n'

describe.each(databases)('files of a chat, on $database', ({ env }) => {
  let environment: Record<string, string>
  let server: Server
  let admin: Api
  let receiver: Receiver
  let tenant: Tenant
  let files: string

  beforeAll(async () => {
    environment = await env()
    server = await startServer({ env: { ...environment, CAIRN_ALLOW_INSECURE_ISSUERS: 'true' } })
    admin = Api.admin(server.url)
    receiver = await Receiver.start()
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url)
    files = `/v1/${tenant.chatId}/files`
  })
  afterAll(async () => {
    receiver?.stop()
    await server?.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  const upload = async (name: string, text: string, { chat, chatId } = tenant) =>
    (await chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, uploadForm(name, text))).body
  const list = async () => (await tenant.chat.ok('GET', files)).body
  const remove = (fileId: string) => tenant.chat.call('DELETE', `${files}/${fileId}`)
  const ask = async (question: string) =>
    (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/answer_question`, { question })).body
  const search = async (query: string) =>
    (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/search`, { query })).body.results
  const graph = async () => (await admin.ok('GET', `/graph_data/${tenant.chatId}`)).text
  const events = async (type: string) =>
    (await tenant.project.ok('GET', `/v1/${tenant.projectId}/events?type=${type}`)).body

  it('are an empty list at first', async () => {
    expect(await list()).toEqual({ success: true, files: [], total_files: 0, total_size_bytes: 0 })
  })

  it('are listed newest first, with their sizes and the sum of them', async () => {
    const from = Date.now()
    const uploaded = [await upload('guide.md', guide), await upload('note ü.txt', 'A note.')]
    const { files: listed, ...totals } = await list()
    expect(totals).toEqual({ success: true, total_files: 2, total_size_bytes: Buffer.byteLength(guide) + 7 })
    expect(listed).toEqual(
      uploaded.reverse().map(({ file_id, filename, size_bytes, chunk_count, scope_values }) => ({
        file_id,
        filename,
        upload_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        size_bytes,
        chunk_count,
        pages: null,
        scope_values,
      })),
    )
    expect(listed[0].chunk_count).toBe(1)
    const times = listed.map(({ upload_date }: { upload_date: string }) => Date.parse(upload_date))
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a))
    expect(times.at(-1)).toBeGreaterThanOrEqual(from)
  })

  it('have the status ready after the upload', async () => {
    const { file_id, filename, size_bytes, chunk_count } = await upload('guide.md', guide)
    expect(await tenant.chat.get(`${files}/${file_id}/status`)).toMatchObject({
      status: 200,
      body: {
        success: true,
        file_id,
        status: 'ready',
        filename,
        size_bytes,
        chunk_count,
        progress: 100,
        message: expect.stringContaining(filename),
        error: null,
      },
    })
  })

  it('have their number of pages, if they have pages', async () => {
    await tenant.chat.ok(
      'POST',
      `/v1/${tenant.chatId}/upload_with_scopes`,
      uploadForm('a.pdf', tinyPdf('One.')),
    )
    expect((await list()).files[0]).toMatchObject({ filename: 'a.pdf', pages: 1 })
  })

  it('have chunks in order with headings and pages, from any offset and around any chunk', async () => {
    const text = Array.from({ length: 5 }, (_, n) => `# Part ${n}\n\n${`Lamp ${n} is blue. `.repeat(30)}\n`)
    const { file_id, chunk_count } = await upload('parts.md', text.join('\n'))
    expect(chunk_count).toBe(5)
    const read = async (query = '') =>
      (await tenant.chat.ok('GET', `${files}/${file_id}/chunks${query}`)).body
    const whole = await read()
    expect(whole).toMatchObject({ file_id, filename: 'parts.md', chunk_count: 5, offset: 0 })
    expect(whole.chunks).toEqual(
      Array.from({ length: 5 }, (_, order) => ({
        chunk_id: expect.any(String),
        order,
        page: null,
        headings: [`Part ${order}`],
        text: expect.stringContaining(`Lamp ${order} is blue.`),
      })),
    )
    expect(await read('?limit=2&offset=3')).toEqual({ ...whole, offset: 3, chunks: whole.chunks.slice(3, 5) })
    const { chunk_id } = whole.chunks[3]
    expect(await read(`?limit=2&chunk_id=${chunk_id}`)).toEqual({
      ...whole,
      offset: 2,
      chunks: whole.chunks.slice(2, 4),
    })
    const other = await upload('other.md', guide)
    for (const path of [`${file_id}/chunks?chunk_id=nope`, `${other.file_id}/chunks?chunk_id=${chunk_id}`]) {
      expectRefusal(await tenant.chat.get(`${files}/${path}`), {
        status: 404,
        project: false,
        names: 'chunk',
      })
    }
    expectRefusal(await tenant.chat.get(`${files}/nope/chunks`), {
      status: 404,
      project: false,
      names: 'file',
    })
    const wrong = await tenant.chat.get(`${files}/${file_id}/chunks?limit=1001`)
    expectRefusal(wrong, { status: 400, project: false, names: 'limit' })
  })

  it('are counted in the console, whose time of change they update', async () => {
    const chat = async () => (await admin.ok('GET', `/v1/console/chats/${tenant.chatId}`)).body
    const before = await chat()
    expect(before.file_count).toBe(0)
    const { file_id } = await upload('guide.md', guide)
    const after = await chat()
    expect(after.file_count).toBe(1)
    expect(after.updated_at > before.updated_at).toBe(true)
    const { body: listed } = await admin.ok('GET', `/v1/console/projects/${tenant.projectId}/chats`)
    expect(listed).toEqual([after])
    await remove(file_id)
    expect((await chat()).file_count).toBe(0)
  })

  it('are deleted completely: no question, search, graph, list or status shows them', async () => {
    const kept = await upload('kept.txt', 'The lamp in the attic is red.')
    const before = await graph()
    const { file_id, filename, size_bytes, chunk_count } = await upload('guide.md', guide)
    expect((await ask('When is the door locked?')).answer).toContain('nine')
    expect((await search('lamp')).map((entry: { file_id: string }) => entry.file_id)).toContain(file_id)
    expect((await remove(file_id)).body).toEqual({
      success: true,
      message: expect.stringContaining(filename),
      file_id,
      filename,
      chunks_deleted: chunk_count,
      size_bytes_freed: size_bytes,
    })
    expect((await ask('When is the door locked?')).context).toEqual([])
    expect(await search('door shed locked')).toEqual([])
    expect((await search('lamp')).map((entry: { file_id: string }) => entry.file_id)).toEqual([kept.file_id])
    expect(await graph()).toBe(before)
    expect((await list()).files.map((file: { file_id: string }) => file.file_id)).toEqual([kept.file_id])
    expect((await tenant.chat.ok('GET', `/v1/${tenant.chatId}/info`)).body.context_files).toBe(1)
    for (const answer of [await tenant.chat.get(`${files}/${file_id}/status`), await remove(file_id)]) {
      expectRefusal(answer, { status: 404, project: false, names: 'file' })
    }
  })

  it('are deleted by one of many concurrent requests, and the others get 404', async () => {
    const { file_id } = await upload('guide.md', guide)
    const answers = await Promise.all(Array.from({ length: 6 }, () => remove(file_id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404, 404])
    expect(await events('file_deleted')).toHaveLength(1)
  })

  it('are deleted correctly during concurrent uploads and deletions in the chat', async () => {
    const uploads = await Promise.all(Array.from({ length: 6 }, (_, n) => upload(`a${n}.md`, `${guide}${n}`)))
    const answers = await Promise.all([
      ...uploads.map(({ file_id }) => remove(file_id)),
      ...Array.from({ length: 3 }, (_, n) => upload(`b${n}.txt`, `The bench ${n} is dry.`)),
    ])
    expect(answers.slice(0, 6).map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect((await list()).total_files).toBe(3)
    expect(await search('lamp')).toEqual([])
    expect(await search('bench')).toHaveLength(3)
    expect(JSON.parse(await graph()).nodes).toHaveLength(6)
  })

  it('with the same bytes are duplicates for 30 seconds, and separate files later', async () => {
    const grow = (seconds: number) =>
      tamper(
        { dataDir: server.dataDir, env: environment },
        `update document_rows set created_at = created_at - ${seconds * 1000} where chat_id = '${tenant.chatId}'`,
      )
    const first = await upload('guide.md', guide)
    await grow(10)
    expect(await upload('guide.md', guide)).toMatchObject({ file_id: first.file_id, duplicate: true })
    await grow(21)
    const second = await upload('guide.md', guide)
    expect(second).not.toHaveProperty('duplicate')
    expect(second.file_id).not.toBe(first.file_id)
    // The 30 seconds begin with the newest file, not with the first one.
    expect(await upload('guide.md', guide)).toMatchObject({ file_id: second.file_id, duplicate: true })
    expect((await list()).total_files).toBe(2)
  })

  it('can be uploaded again after their deletion, and are not duplicates then', async () => {
    const first = await upload('guide.md', guide)
    await remove(first.file_id)
    expect(await search('lamp')).toEqual([])
    expect(await upload('guide.md', guide)).not.toHaveProperty('duplicate')
    expect((await list()).total_files).toBe(1)
    expect(await search('lamp')).not.toEqual([])
  })

  it('of another chat are not found, even in the same project, and are not deleted', async () => {
    const { file_id } = await upload('guide.md', guide)
    const chats = `/v1/console/projects/${tenant.projectId}/chats`
    const { chat_id } = (await admin.ok('POST', chats, { title: 'a sibling', publish: true })).body
    const { api_key } = (await admin.ok('POST', `/v1/console/chats/${chat_id}/keys`, {})).body
    const sibling = admin.withKey(api_key)
    const status = await sibling.get(`/v1/${chat_id}/files/${file_id}/status`)
    const deleted = await sibling.call('DELETE', `/v1/${chat_id}/files/${file_id}`)
    for (const answer of [status, deleted]) expectRefusal(answer, { status: 404, names: 'file not found' })
    expect((await sibling.get(`/v1/${chat_id}/files`)).body.files).toEqual([])
    expect((await list()).total_files).toBe(1)
    expect(await events('file_deleted')).toEqual([])
  })

  it('cause an event at their deletion, which webhooks receive', async () => {
    const path = `/deleted-${tenant.chatId}`
    const hook = { url: receiver.url(path), event_types: ['file_deleted'] }
    await admin.ok('POST', `/v1/console/projects/${tenant.projectId}/webhooks`, hook)
    const { file_id, filename, size_bytes, chunk_count } = await upload('guide.md', guide)
    const from = Date.now()
    await remove(file_id)
    const [event, ...others] = await events('file_deleted')
    expect(others).toEqual([])
    expect(event.data).toEqual({
      event: 'file_deleted',
      chat_id: tenant.chatId,
      file_id,
      app_id: null,
      user_id: null,
      filename,
      size_freed: size_bytes,
      chunks_removed: chunk_count,
      timestamp: Date.parse(event.created_at),
    })
    expect(event.data.timestamp).toBeGreaterThanOrEqual(from)
    expect(event.data.timestamp).toBeLessThanOrEqual(Date.now())
    const [call] = await receiver.wait(path, 1)
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ type: 'file_deleted', data: event.data })
  })
})
