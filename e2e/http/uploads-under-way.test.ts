import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { samplePdf } from '../../server/src/domains/documents/extraction/pdf.test-samples.ts'
import { type Answer, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'

const pages = 400
const longPdf = (says: (page: number) => string) =>
  samplePdf(Array.from({ length: pages }, (_, page) => [{ text: says(page), x: 72, y: 700 }]))

describe.each(sharedServers)('uploads in progress, on $database', ({ server }) => {
  let tenant: Tenant
  let files: string

  beforeEach(async () => {
    tenant = await createTenant(server.url)
    files = `/v1/${tenant.chatId}/files`
  })

  const send = (name: string, content: string | Uint8Array) =>
    tenant.chat.post(`/v1/${tenant.chatId}/upload_with_scopes`, uploadForm(name, content))
  const list = async () => (await tenant.chat.ok('GET', files)).body
  const status = (fileId: string) => tenant.chat.get(`${files}/${fileId}/status`)

  /** The listed uploads until one has ended, and its response. */
  async function watch(upload: Promise<Answer>) {
    let answer: Answer | undefined
    const ended = upload.then((answered) => (answer = answered))
    const seen: Answer['body'][] = []
    while (!answer) {
      const { uploads = [], total_files } = await list()
      // The file and its upload are never both in the list.
      if (total_files === 0) seen.push(...uploads)
      await pause(5)
    }
    return { answer: await ended, seen }
  }

  it('are listed with their progress, under the id of the future file', async () => {
    const { answer, seen } = await watch(
      send(
        'long.pdf',
        longPdf((page) => `Page ${page} of the report.`),
      ),
    )
    expect(answer.status, answer.text).toBe(200)
    const { file_id, filename, size_bytes } = answer.body
    const common = { success: true, file_id, filename, size_bytes, chunk_count: 0, error: null }
    for (const upload of seen) expect(upload).toMatchObject(common)
    const processing = seen.filter((upload) => upload.status === 'processing')
    expect(processing.some(({ message }) => /page [1-9]\d* of 400$/.test(message))).toBe(true)
    const progress = seen.map((upload) => upload.progress)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect(new Set(progress).size).toBeGreaterThan(3)
    expect(await list()).not.toHaveProperty('uploads')
    expect((await status(file_id)).body).toMatchObject({ status: 'ready', progress: 100 })
  })

  it('have a status that is never 404, and failed uploads keep their reason for a while', async () => {
    const upload = watch(
      send(
        'blank.pdf',
        longPdf(() => ''),
      ),
    )
    const { answer, seen } = await upload
    expect(answer.status).toBe(400)
    const { file_id } = seen[0]
    expect((await status(file_id)).body).toMatchObject({
      success: true,
      file_id,
      status: 'failed',
      filename: 'blank.pdf',
      chunk_count: 0,
      error: answer.body.detail,
    })
    expect(await list()).toEqual({ success: true, files: [], total_files: 0, total_size_bytes: 0 })
  })

  it('have a status from their start until they are ready', async () => {
    const upload = send(
      'long.pdf',
      longPdf((page) => `Page ${page} of the report.`),
    )
    let id: string | undefined
    while (!id) id = (await list()).uploads?.[0]?.file_id
    const states = new Set<string>()
    for (let state = ''; state !== 'ready'; states.add(state)) {
      const answer = await status(id)
      expect(answer.status).toBe(200)
      state = answer.body.status
    }
    expect([...states].at(-1)).toBe('ready')
    expect((await upload).body.file_id).toBe(id)
  })

  it('are hidden from other chats', async () => {
    const other = await createTenant(server.url)
    const upload = send(
      'long.pdf',
      longPdf((page) => `Page ${page} of the report.`),
    )
    let id: string | undefined
    while (!id) id = (await list()).uploads?.[0]?.file_id
    expect((await other.chat.ok('GET', `/v1/${other.chatId}/files`)).body).not.toHaveProperty('uploads')
    expect((await other.chat.get(`/v1/${other.chatId}/files/${id}/status`)).status).toBe(404)
    expect((await upload).status).toBe(200)
  })

  it('that are deleted in progress are deleted at their end', async () => {
    const upload = send(
      'long.pdf',
      longPdf((page) => `Page ${page} of the report.`),
    )
    let id: string | undefined
    while (!id) id = (await list()).uploads?.[0]?.file_id
    const deleted = await tenant.chat.call('DELETE', `${files}/${id}`)
    expect(deleted.status, deleted.text).toBe(200)
    expect((await upload).status).toBe(200)
    expect((await list()).total_files).toBe(0)
    expect((await status(id)).status).toBe(404)
  })

  it('get an id that no earlier file of that name had, also after a quick deletion', async () => {
    const ids: string[] = []
    for (let round = 0; round < 8; round++) {
      const isKept = round % 3 === 2
      const { body } = await send('note.txt', isKept ? `Note ${round}.` : 'A note.')
      ids.push(body.file_id)
      if (!isKept) await tenant.chat.ok('DELETE', `${files}/${body.file_id}`)
    }
    expect(new Set(ids).size).toBe(8)
    for (const id of ids) expect(id).toMatch(new RegExp(`^${tenant.chatId}_note(?:-\\d)?\\.txt_\\d{10}$`))
    const many = await Promise.all(Array.from({ length: 10 }, (_, n) => send('same.txt', `Text ${n}.`)))
    expect(new Set(many.map(({ body }) => body.file_id)).size).toBe(10)
  })
})
