import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { samplePdf } from '../../server/src/domains/documents/extraction/pdf.test-samples.ts'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { documentsOf, type Graph, graphFaults } from '../support/graph.ts'
import { expectRefusal } from '../support/refusal.ts'
import { tenantStateOf } from '../support/state.ts'

const all = ['ingest', 'read', 'write', 'query', 'admin']
const text = 'The lamp in the hall is blue.\n\nThe door of the shed is locked at nine.'
let ids = 0
const newId = () => `doc-${process.pid}-${ids++}`

describe.each(sharedServers)('texts and PDF files at internal endpoints, on $database', ({ server }) => {
  let admin: Api
  let tenant: Tenant

  beforeAll(async () => {
    admin = Api.admin(server.url)
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url, all)
  })

  const body = (more: object = {}) => ({
    pdf_text: text,
    pdf_id: newId(),
    chat_id: tenant.chatId,
    filename: 'Report.pdf',
    ...more,
  })
  const create = (more: object = {}, caller = admin) =>
    caller.post('/create_nodes_and_embeddings', body(more))
  const graph = async (chatId = tenant.chatId): Promise<Graph> =>
    (await admin.ok('GET', `/graph_data/${chatId}`)).body
  const search = async (query: string, more: object = {}) =>
    (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/search`, { query, ...more })).body.results
  const extract = (name: string, content: string | Uint8Array) =>
    admin.post('/extract-pdf-text', uploadForm(name, content))

  it('a text becomes a document with the given id, searchable after the response', async () => {
    const pdf_id = newId()
    const { status, body: made } = await create({ pdf_id, scope_values: { team: 'a' } })
    expect(status).toBe(200)
    expect(made).toEqual({
      status: 'success',
      message: expect.stringContaining('Report.pdf'),
      file_id: pdf_id,
      chunk_count: 1,
      duplicate_skipped: false,
    })
    const [found] = await search('lamp', { scope_filters: { team: 'a' } })
    expect(found).toMatchObject({ file_id: pdf_id, filename: 'Report.pdf', chunk_text: text })
    expect(await search('lamp', { scope_filters: { team: 'b' } })).toEqual([])
    const { files } = (await tenant.chat.ok('GET', `/v1/${tenant.chatId}/files`)).body
    expect(files).toMatchObject([{ file_id: pdf_id, size_bytes: Buffer.byteLength(text), chunk_count: 1 }])
    expect(graphFaults(await graph())).toEqual([])
    const events = (await tenant.project.ok('GET', `/v1/${tenant.projectId}/events`)).body
    expect(events[0]).toMatchObject({
      type: 'file_uploaded',
      data: { file_id: pdf_id, filename: 'Report.pdf', file_type: 'pdf', chunk_count: 1 },
    })
  })

  it('a key of the chat with admin may do the same', async () => {
    expect((await create({}, tenant.chat)).status).toBe(200)
  })

  it('the same text with the same id is skipped, another text is rejected, and both change nothing', async () => {
    const pdf_id = newId()
    await create({ pdf_id })
    const before = await tenantStateOf(server.url, tenant)
    const again = await create({ pdf_id, filename: 'other.pdf', scope_values: { team: 'b' } })
    expect(again.body).toMatchObject({ status: 'success', file_id: pdf_id, duplicate_skipped: true })
    expectRefusal(await create({ pdf_id, pdf_text: `${text}!` }), { status: 400, names: 'pdf_id' })
    expect(await tenantStateOf(server.url, tenant)).toBe(before)
  })

  it('the same text with another id is another document, and uploads are not duplicates of it', async () => {
    await create()
    expect((await create()).body).toMatchObject({ duplicate_skipped: false })
    const form = uploadForm('text.txt', text)
    const uploaded = (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)).body
    expect(uploaded).not.toHaveProperty('duplicate')
    expect((await graph()).nodes.filter(({ labels }) => labels[0] === 'Document')).toHaveLength(3)
  })

  it('an id of any node in another chat is rejected', async () => {
    const other = await createTenant(server.url, all)
    const pdf_id = newId()
    await create({ pdf_id, chat_id: other.chatId })
    const chunk = (await graph(other.chatId)).nodes.find(({ labels }) => labels[0] === 'Chunk')
    const before = await tenantStateOf(server.url, tenant)
    for (const taken of [pdf_id, chunk?.id]) {
      const refused = await create({ pdf_id: taken })
      expectRefusal(refused, { status: 400, project: false, names: 'pdf_id' })
      expect(refused.text).not.toContain(other.chatId)
    }
    expect(await tenantStateOf(server.url, tenant)).toBe(before)
    await admin.ok('DELETE', `/remove_context/${pdf_id}`)
    expect((await create({ pdf_id })).status).toBe(200)
  })

  it('one of many chats that request the same id concurrently gets it', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => createTenant(server.url)))
    for (let round = 0; round < 5; round++) {
      const pdf_id = newId()
      const answers = await Promise.all(others.map(({ chatId }) => create({ pdf_id, chat_id: chatId })))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    }
  })

  it('one of many concurrent calls with the same text and id writes, and the others skip', async () => {
    const pdf_id = newId()
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ pdf_id })))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(answers.filter(({ body }) => !body.duplicate_skipped)).toHaveLength(1)
    expect(graphFaults(await graph())).toEqual([])
  })

  it('an upload gets another id if a text has its id', async () => {
    const seconds = Math.floor(Date.now() / 1000)
    const takenIds = Array.from({ length: 5 }, (_, n) => `${tenant.chatId}_a.txt_${seconds + n}`)
    for (const pdf_id of takenIds) expect((await create({ pdf_id })).status).toBe(200)
    const form = uploadForm('a.txt', 'The upload itself.')
    const { file_id } = (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)).body
    expect(takenIds).not.toContain(file_id)
  })

  it('a million characters are accepted, and one more is rejected', { timeout: 60_000 }, async () => {
    const long = 'Words 😀 and words. '.repeat(60_000).slice(0, 1_100_000)
    const million = [...long].slice(0, 999_999).join('')
    expect((await create({ pdf_text: `${million}.` })).status).toBe(200)
    expectRefusal(await create({ pdf_text: `${million}..` }), { status: 400, names: 'pdf_text' })
    expect(graphFaults(await graph())).toEqual([])
  })

  it('any text is accepted, also with the leading bytes of a file format; NUL is replaced', async () => {
    for (const odd of ['%PDF-1.7 is how PDF files begin', '{\\rtf is another', 'GIF8 and PK\u0003\u0004']) {
      expect((await create({ pdf_text: odd })).status, odd).toBe(200)
    }
    const pdf_id = newId()
    const hard = '\ufeffa\0b \ud800 c'
    await create({ pdf_id, pdf_text: hard })
    expect((await create({ pdf_id, pdf_text: hard })).body).toMatchObject({ duplicate_skipped: true })
    const stored = documentsOf(await graph()).get(pdf_id)
    expect(stored?.chunks.join('')).toContain('a\ufffdb \ufffd c')
  })

  it('the file name is sanitized and needs no extension', async () => {
    const names = {
      '../../etc/pass<wd>': 'passwd',
      'Ein Büro': 'Ein Büro',
      [`a.${'b'.repeat(5000)}`]: /^a\.b{198}$/,
    }
    for (const [filename, stored] of Object.entries(names)) {
      const pdf_id = newId()
      expect((await create({ pdf_id, filename })).status).toBe(200)
      expect(documentsOf(await graph()).get(pdf_id)?.filename).toMatch(stored)
    }
  })

  it('scope values are checked against the configuration of the chat', async () => {
    const scopes = [{ name: 'year', type: 'number', required: true }]
    await tenant.chat.ok('POST', `/v1/${tenant.chatId}/scopes/configure`, { scopes })
    expectRefusal(await create(), { status: 400, names: 'year' })
    expectRefusal(await create({ scope_values: { year: '2024' } }), { status: 400, names: 'year' })
    expectRefusal(await create({ scope_values: { year: 1, team: 'a' } }), { status: 400, names: 'team' })
    expect((await create({ scope_values: { year: 0 } })).status).toBe(200)
  })

  it('the text of a PDF file is returned with its hash, and nothing is stored', async () => {
    const before = await tenantStateOf(server.url, tenant)
    const pdf = samplePdf([[{ text: 'The lamp in the hall is blue.', x: 50, y: 700 }]])
    const from = Date.now()
    const { status, body: read } = await extract('../My <report>.pdf', pdf)
    expect(status).toBe(200)
    expect(read).toEqual({
      text: expect.stringContaining('The lamp in the hall is blue.'),
      file_hash: createHash('sha256').update(pdf).digest('hex'),
      size_bytes: pdf.length,
      filename: 'My report.pdf',
      uploaded_at: expect.any(Number),
      extracted_text_length: read.text.length,
    })
    expect(read.uploaded_at).toBeGreaterThanOrEqual(from)
    expect(read.uploaded_at).toBeLessThanOrEqual(Date.now())
    expect(await tenantStateOf(server.url, tenant)).toBe(before)
  })

  it('an unreadable file is rejected in the same way as an upload', async () => {
    expectRefusal(await extract('note.zip', 'A note.'), { status: 415, project: false, names: 'docx' })
    expectRefusal(await extract('note', 'A note.'), { status: 415 })
    expectRefusal(await extract('note.txt', '%PDF-1.7'), { status: 400, names: 'contradicts' })
    expectRefusal(await extract('a.pdf', ''), { status: 400, names: 'empty' })
    expectRefusal(await extract('a.pdf', 'This is no PDF.'), { status: 400 })
    expectRefusal(await extract('a.pdf', samplePdf([[]])), { status: 400, names: 'no text' })
    const script = samplePdf([[{ text: 'Hello.', x: 50, y: 700 }]], {
      catalog: '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>',
    })
    expectRefusal(await extract('a.pdf', script), { status: 400 })
    expectRefusal(await admin.post('/extract-pdf-text', new FormData()), { status: 400, names: 'file' })
    expectRefusal(await admin.post('/extract-pdf-text', { file: 'x' }), { status: 415 })
    const large = new Uint8Array(5 * 1024 * 1024 + 1).fill(32)
    expectRefusal(await extract('a.pdf', large), { status: 413, project: false })
  })

  it('a file is read for a key with admin of any chat, but not for a key of a project', async () => {
    const form = () => uploadForm('a.pdf', samplePdf([[{ text: 'Hello.', x: 50, y: 700 }]]))
    expect((await tenant.chat.post('/extract-pdf-text', form())).status).toBe(200)
    expectRefusal(await tenant.project.post('/extract-pdf-text', form()), { status: 403, names: 'chat' })
  })
})
