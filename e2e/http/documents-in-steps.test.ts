import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { createPlace, type Place, runCommand } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { type Graph, graphFaults } from '../support/graph.ts'
import { type Server, startServer } from '../support/server.ts'
import { rowsBehind, tamper } from '../support/tamper.ts'

/** A text of some megabytes, which takes dozens of transactions, with marks at its beginning and end. */
const long = (mark: string, paragraphs = 3000) =>
  [
    `The ${mark} begins.`,
    ...Array.from(
      { length: paragraphs },
      (_, n) =>
        `Gate ${n} of the dam was opened at ${n % 24} o'clock. ${`Water ran over sill ${n}. `.repeat(30)}`,
    ),
    `The ${mark} ends.`,
  ].join('\n\n')

describe.each(databases)('documents that are written in steps, on $database', ({ env }) => {
  let place: Place
  let server: Server
  let admin: Api
  let tenant: Tenant

  beforeAll(async () => {
    // The readers of these tests keep the machine busy, and extraction must not end at its time limit because of it.
    place = await createPlace({ ...(await env()), CAIRN_PROCESSING_SECONDS: '120' })
    await start()
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url, ['ingest', 'read', 'write', 'query', 'admin'])
  })
  afterAll(async () => {
    await server?.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
    await place?.remove()
  })

  async function start() {
    server = await startServer({ dataDir: place.dataDir, env: place.env })
    admin = Api.admin(server.url)
  }
  const doctor = async () => (await runCommand(place, ['doctor'])).stdout.match(/fault:.*|no fault/g)
  const send = (name: string, text: string) =>
    tenant.chat.post(`/v1/${tenant.chatId}/upload_with_scopes`, uploadForm(name, text))
  const graph = async (): Promise<Graph> => (await admin.ok('GET', `/graph_data/${tenant.chatId}`)).body
  const list = async () => (await tenant.chat.ok('GET', `/v1/${tenant.chatId}/files`)).body

  /**
   * Number of chunks of a file in each kind of response. A response without chunks must not have the document either.
   */
  const readers: Record<string, () => Promise<number>> = {
    files: async () => (await list()).files[0]?.chunk_count ?? 0,
    debug: async () => {
      const { documents_found, total_chunks } = (await admin.ok('GET', `/debug_chat_data/${tenant.chatId}`))
        .body
      return documents_found === 0 ? 0 : total_chunks
    },
    graph: async () => {
      const { nodes, relationships } = await graph()
      expect(graphFaults({ nodes, relationships })).toEqual([])
      return Math.max(0, nodes.length - 1)
    },
    search: async () => {
      const body = { query: 'zanzibarine', limit: 5 }
      const { results } = (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/search`, body)).body
      if (results.length === 0) return 0
      expect(results.some(({ chunk_text }: { chunk_text: string }) => /begins|ends/.test(chunk_text))).toBe(
        true,
      )
      return (await list()).files[0].chunk_count
    },
  }

  it('are visible only as a whole', { timeout: 60_000 }, async () => {
    const seen = new Map(Object.keys(readers).map((name) => [name, [] as number[]]))
    let isOver = false
    const polling = Object.entries(readers).map(async ([name, read]) => {
      while (!isOver) {
        seen.get(name)?.push(await read())
        await pause(10)
      }
      seen.get(name)?.push(await read())
    })
    const { body, status } = await send('long.md', long('zanzibarine'))
    isOver = true
    await Promise.all(polling)
    expect(status).toBe(200)
    expect(body.chunk_count).toBeGreaterThan(1000)
    for (const [name, counts] of seen) {
      expect(new Set(counts), name).toEqual(new Set([0, body.chunk_count]))
      expect(counts.length, name).toBeGreaterThan(2)
    }
    expect(await doctor()).toEqual(['no fault'])
  })

  it('return not found if their chat is deleted meanwhile, and leave no rows', {
    timeout: 60_000,
  }, async () => {
    const upload = send('long.md', long('gone'))
    await untilStoring()
    expect((await admin.call('DELETE', `/v1/console/chats/${tenant.chatId}`)).status).toBe(200)
    expect([200, 404]).toContain((await upload).status)
    expect((await admin.get(`/debug_chat_data/${tenant.chatId}`)).body.documents_found ?? 0).toBe(0)
    expect(await doctor()).toEqual(['no fault'])
  })

  it('are deleted as a whole with the right counts, and their id is free at once', {
    timeout: 60_000,
  }, async () => {
    const pdf_id = `long-${process.pid}-${tenant.chatId}`
    const create = () =>
      admin.ok('POST', '/create_nodes_and_embeddings', {
        pdf_text: long('again', 1000),
        pdf_id,
        chat_id: tenant.chatId,
        filename: 'long.md',
      })
    for (let round = 0; round < 2; round++) {
      const { chunk_count } = (await create()).body
      const before = await graph()
      expect(before.nodes).toHaveLength(1 + chunk_count)
      const made = before.relationships.filter(({ type }) => !/^(HAS_CHUNK|NEXT)$/.test(type)).length
      const { body } = await admin.ok('DELETE', `/delete_node/${pdf_id}`)
      expect(body).toMatchObject({ nodes_deleted: 1 + chunk_count })
      expect(body.relationships_deleted).toBeGreaterThanOrEqual(2 * chunk_count - 1 + made)
      expect(await graph()).toEqual({ nodes: [], relationships: [] })
    }
    expect(await doctor()).toEqual(['no fault'])
  })

  it('are stored once if several concurrent texts have the same id', { timeout: 60_000 }, async () => {
    const pdf_id = `race-${process.pid}-${tenant.chatId}`
    const body = { pdf_text: long('race', 1000), pdf_id, chat_id: tenant.chatId, filename: 'long.md' }
    const answers = await Promise.all(
      [1, 2, 3].map(() => admin.ok('POST', '/create_nodes_and_embeddings', body)),
    )
    const skipped = answers.map((answer) => answer.body.duplicate_skipped)
    expect(skipped.sort()).toEqual([false, true, true])
    expect((await list()).total_files).toBe(1)
  })

  /** Resolves when the tenant's upload is in the phase `storing`. */
  async function untilStoring() {
    for (;;) {
      const [upload] = (await list()).uploads ?? []
      if (upload?.message.endsWith('is being stored')) return
      await pause(3)
    }
  }

  it('are invisible if the server is killed while writing them, and are swept', {
    timeout: 120_000,
  }, async () => {
    let isSent = false
    const lost = send('long.md', long('lost'))
      .catch(() => undefined)
      .finally(() => (isSent = true))
    const isWriting = async () =>
      (await rowsBehind(place, "select file_id from document_rows where state = 'writing'")).length > 0
    while (!isSent && !(await isWriting())) await pause(1)
    await server.kill()
    await lost
    expect(await doctor()).toEqual(['no fault'])
    await start()
    tenant = { ...tenant, chat: new Api(server.url, tenant.chat.credential) }
    const { files } = await list()
    // The document is stored completely or not at all, even if the upload was not acknowledged.
    expect(graphFaults(await graph())).toEqual([])
    await server.stop()
    const isWhole = files.length === 1
    // Ends the lease without waiting for it.
    await tamper(place, "update document_rows set lease_until = 1 where state <> 'stored'")
    const faults = isWhole ? ['no fault'] : [expect.stringMatching(/^fault: {2}1 documents whose writing/)]
    expect(await doctor()).toEqual(faults)
    await start()
    while ((await doctor())?.[0] !== 'no fault') await pause(300)
    expect(isWhole, 'the kill came too late to hit the writing').toBe(false)
  })
})
