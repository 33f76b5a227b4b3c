import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { runCommand } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { documentsOf, type Graph, graphFaults, isMade } from '../support/graph.ts'
import { millText as text } from '../support/mill.ts'
import { type Server, startServer } from '../support/server.ts'

const all = ['ingest', 'read', 'write', 'query', 'admin']

const unrelated = 'Tickets for the concert cost nine and are sold at the bakery.'

describe.each(databases)('automatic relationships, on $database', ({ env }) => {
  let server: Server
  let tenant: Tenant
  let environment: Record<string, string>
  let dataDir: string

  const start = async () => {
    server = await startServer({ env: environment, dataDir })
  }
  beforeAll(async () => {
    environment = { ...(await env()), CAIRN_JOB_LEASE_SECONDS: '2' }
    dataDir = await mkdtemp(join(tmpdir(), 'cairn-relationships-'))
    await start()
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url, all)
  })
  afterAll(async () => {
    await server?.stop()
    const { stdout } = await runCommand({ dataDir, env: environment, remove: async () => {} }, ['doctor'])
    expect(stdout).toContain('no fault')
    await rm(dataDir, { recursive: true, force: true })
  })

  const api = () => new Api(server.url).withKey(tenant.chatKey)
  const upload = async (content = text, name = 'mill.md') =>
    (await api().ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, uploadForm(name, content))).body
  const graph = async (): Promise<Graph> => (await api().ok('GET', `/graph_data/${tenant.chatId}`)).body
  const status = async () => (await api().ok('GET', `/graph_status/${tenant.chatId}`)).body
  const made = async () => (await graph()).relationships.filter(isMade)
  const until = async <T>(look: () => Promise<T | false | undefined>): Promise<T> => {
    const end = Date.now() + 40_000
    for (;;) {
      const found = await look()
      if (found) return found
      if (Date.now() > end) throw new Error('it never came')
      await pause(100)
    }
  }
  const settled = () =>
    until(async () => {
      const edges = await made()
      return edges.length > 0 && edges
    })
  const chunkWith = async (words: string) =>
    (await graph()).nodes.find(({ properties }) => properties.text?.includes(words))?.id ?? ''

  it('appear after the upload, with type, direction, confidence and method', async () => {
    const { file_id, processing_status } = await upload()
    expect(processing_status).toBe('completed')
    expect(await made()).toEqual([])
    expect(await status()).toEqual({ chat_id: tenant.chatId, documents: 1, relating: 1 })
    const edges = await settled()
    await until(async () => (await status()).relating === 0)
    expect(await status()).toEqual({ chat_id: tenant.chatId, documents: 1, relating: 0 })
    expect(graphFaults(await graph())).toEqual([])
    for (const { properties } of edges) {
      expect(properties).toEqual({ confidence: expect.any(Number), ai_generated: true, method: 'local' })
    }
    expect(documentsOf(await graph()).get(file_id)?.chunks).toHaveLength(4)
    const [frost, numbers] = [await chunkWith('The reason is the ice'), await chunkWith('For example')]
    expect(edges).toContainEqual(
      expect.objectContaining({ source: numbers, target: frost, type: 'SUPPORTS' }),
    )
    const wheel = await chunkWith('forty buckets')
    expect(edges).toContainEqual(expect.objectContaining({ source: frost, target: wheel, type: 'EXPLAINS' }))
    const opening = await chunkWith('This guide describes')
    expect(edges).toContainEqual(
      expect.objectContaining({ source: opening, target: wheel, type: 'INTRODUCES' }),
    )
  })

  it('are also found for a text with a given id', async () => {
    const body = { chat_id: tenant.chatId, pdf_id: `${tenant.chatId}-x`, filename: 'a.pdf', pdf_text: text }
    await api().ok('POST', '/create_nodes_and_embeddings', body)
    expect(await settled()).not.toEqual([])
  })

  it('are only within a document, and not between records', async () => {
    const rows = Array.from({ length: 60 }, (_, n) => `${n},wheel of the mill,because of ice,61 days in 1894`)
    await upload(`number,what,why,evidence\n${rows.join('\n')}`, 'mill.csv')
    await upload()
    await upload(text.replace('forty', 'thirty'), 'second.md')
    await until(async () => (await made()).length >= 6)
    await pause(1_500)
    expect(graphFaults(await graph())).toEqual([])
    const csv = documentsOf(await graph())
      .values()
      .find(({ filename }) => filename === 'mill.csv')
    expect(csv?.chunks.length).toBeGreaterThan(1)
    const ids = new Set((await made()).flatMap(({ source, target }) => [source, target]))
    const owners = (await graph()).relationships.filter(
      ({ type, target }) => type === 'HAS_CHUNK' && ids.has(target),
    )
    expect(owners.map(({ source }) => source)).not.toContain(csv?.id)
  })

  it('are created once, also if the process is killed before', async () => {
    await upload()
    expect(await made()).toEqual([])
    await server.kill()
    await start()
    const edges = await settled()
    await pause(1_500)
    expect(await made()).toEqual(edges)
    expect(graphFaults(await graph())).toEqual([])
  })

  it('are created again after an edit of a chunk, and manual relationships stay', async () => {
    await upload()
    const before = await settled()
    const frost = await chunkWith('The reason is the ice')
    const ends = { source_id: await chunkWith('For example'), target_id: await chunkWith('forty buckets') }
    const byHand = {
      ...ends,
      relationship_type: 'SUPPORTS',
      properties: { confidence: 1, ai_generated: true },
    }
    const kept = (await api().ok('POST', '/create_relationship', byHand)).body
    const own = before.find(({ type }) => type === 'INTRODUCES')
    const change = { ai_generated: false, note: 'checked' }
    const adopted = (await api().ok('PUT', `/update_relationship/${own?.id}`, change)).body
    await api().ok('PUT', `/update_node/${frost}`, { text: unrelated })
    const isNew = (id: string) => !before.some((edge) => edge.id === id)
    const after = await until(async () => {
      const edges = await made()
      return edges.length > 0 && edges.every(({ id }) => isNew(id)) && edges
    })
    expect(after.filter(({ source, type }) => source === frost && type === 'EXPLAINS')).toEqual([])
    const edges = (await graph()).relationships
    expect(edges).toContainEqual(kept)
    expect(edges).toContainEqual(adopted)
  })

  it('are up to date after a rename and after a burst of edits', async () => {
    const { file_id } = await upload()
    const wheel = await chunkWith('forty buckets')
    for (let n = 0; n < 5; n++) {
      await api().ok('PUT', `/update_node/${wheel}`, { text: `The wheel has ${n} buckets full of ice.` })
      await api().ok('PUT', `/update_node/${file_id}`, { filename: `mill-${n}` })
    }
    await settled()
    await pause(1_500)
    expect(graphFaults(await graph())).toEqual([])
  })

  it('are deleted with a chunk and with the file, and are not created again', async () => {
    const { file_id } = await upload()
    await settled()
    const frost = await chunkWith('The reason is the ice')
    await api().ok('DELETE', `/delete_node/${frost}`)
    const touching = (await made()).filter(({ source, target }) => source === frost || target === frost)
    expect(touching).toEqual([])
    await api().ok('DELETE', `/v1/${tenant.chatId}/files/${file_id}`)
    await pause(2_500)
    expect(await graph()).toEqual({ nodes: [], relationships: [] })
    expect(server.output()).not.toMatch(/"level":50/)
  })

  it('are not created if they are switched off, and old ones are deleted with the next change', async () => {
    await upload()
    await settled()
    await server.stop()
    const before = environment
    environment = { ...before, CAIRN_RELATIONSHIPS: 'off' }
    await start()
    expect((await made()).length).toBeGreaterThan(0)
    await api().ok('PUT', `/update_node/${await chunkWith('forty buckets')}`, { text: unrelated })
    await upload(text.replace('forty', 'thirty'), 'second.md')
    await until(async () => (await made()).length === 0)
    await pause(2_000)
    expect(await made()).toEqual([])
    await server.stop()
    environment = before
    await start()
  })
})
