import { once } from 'node:events'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { documentsOf, type Graph, graphFaults } from '../support/graph.ts'
import { sampleText } from '../support/samples.ts'
import { openSocket, requestText } from '../support/wire.ts'

const files = 5
const all = ['read', 'write', 'query', 'admin', 'ingest']

describe.each(sharedServers)('the graph of a chat, in pieces, on $database', ({ server }) => {
  let tenant: Tenant
  let path: string

  beforeAll(async () => {
    tenant = await createTenant(server.url, all)
    path = `/graph_data/${tenant.chatId}`
    for (let file = 0; file < files; file++) {
      const text = `# File ${file}\n\n${sampleText(1).repeat(20)}`
      await tenant.chat.ok(
        'POST',
        `/v1/${tenant.chatId}/upload_with_scopes`,
        uploadForm(`file ${file}.md`, text),
      )
    }
  })

  it('is one JSON object of the documented shape with every document, chunk and relationship once', async () => {
    const { body, headers } = await tenant.chat.ok('GET', path)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(Object.keys(body)).toEqual(['nodes', 'relationships'])
    for (const node of body.nodes) expect(Object.keys(node)).toEqual(['id', 'labels', 'properties'])
    for (const relationship of body.relationships) {
      expect(Object.keys(relationship)).toEqual(['id', 'source', 'target', 'type', 'properties'])
    }
    const ids = body.nodes.map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const documents = body.nodes.filter(({ labels }: { labels: string[] }) => labels[0] === 'Document')
    expect(documents).toHaveLength(files)
    const count = (type: string) =>
      body.relationships.filter((each: { type: string }) => each.type === type).length
    expect(ids.length).toBeGreaterThan(500)
    expect(count('HAS_CHUNK')).toBe(ids.length - files)
    expect(count('NEXT')).toBe(ids.length - 2 * files)
  })

  it('has every chunk with its text in order, and no repeated relationship', async () => {
    const graph: Graph = (await tenant.chat.ok('GET', path)).body
    expect(graphFaults(graph)).toEqual([])
    for (const { id, filename, chunks: shown } of documentsOf(graph).values()) {
      const { body } = await tenant.chat.ok('GET', `/v1/${tenant.chatId}/files/${id}/chunks?limit=1000`)
      expect(shown, filename).toEqual(body.chunks.map(({ text }: { text: string }) => text))
    }
    const ids = graph.relationships.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('of a chat without documents has the same shape', async () => {
    const { chat, chatId } = await createTenant(server.url, all)
    expect((await chat.ok('GET', `/graph_data/${chatId}`)).text).toBe('{"nodes":[],"relationships":[]}')
  })

  it('does not delay other graphs if its client does not read it', async () => {
    const headers = tenant.chat.credential
    const sockets = Array.from({ length: 12 }, () => openSocket(server.url))
    for (const socket of sockets) {
      socket.write(requestText('GET', path, { headers }))
      await once(socket, 'data')
      socket.pause()
    }
    expect((await tenant.chat.ok('GET', path)).body.nodes.length).toBeGreaterThan(500)
    for (const socket of sockets) socket.destroy()
  })
})
