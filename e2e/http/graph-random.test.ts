import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { createPlace, runCommand } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { type Graph, graphFaults, isMade } from '../support/graph.ts'
import { millText } from '../support/mill.ts'
import { seededRandom } from '../support/random.ts'
import { sampleText } from '../support/samples.ts'
import { type Server, startServer } from '../support/server.ts'

const seeds = { SQLite: [1, 2], PostgreSQL: [1] }
const steps = 45
const queries = [
  'ledger river',
  'Mark 3-2',
  'orchard winter signal',
  'edited 😀 zeppelin',
  'file 4',
  'document',
  'x',
]

/** A client that makes random changes to a chat, and only knows the chat's graph. */
class Wanderer {
  readonly #random: () => number
  readonly #tenant: Tenant
  #count = 0

  constructor(seed: number, tenant: Tenant) {
    this.#random = seededRandom(seed)
    this.#tenant = tenant
  }

  /** Makes a change to the graph as it was read last; background jobs change no nodes. */
  async step(graph: Graph): Promise<void> {
    const actions = [
      () => this.#upload(),
      () => this.#create(),
      () => this.#editChunk(graph),
      () => this.#editChunk(graph),
      () => this.#rename(graph),
      () => this.#deleteChunk(graph),
      () => this.#deleteChunk(graph),
      () => this.#deleteFile(graph),
      () => this.#relate(graph),
      () => this.#relate(graph),
      () => this.#editRelationship(graph),
      () => this.#deleteRelationship(graph),
    ]
    const documents = graph.nodes.filter(({ labels }) => labels[0] === 'Document').length
    // Enough chunks for LSA vectors.
    const action = documents < 9 ? actions[Math.floor(this.#random() * 2)] : this.#pick(actions)
    await action?.()
  }

  async graph(): Promise<Graph> {
    const { chat, chatId } = this.#tenant
    return (await chat.ok('GET', `/graph_data/${chatId}`)).body
  }

  async search(): Promise<unknown[]> {
    const { chat, chatId } = this.#tenant
    const found = queries.map((query) => chat.ok('POST', `/v1/${chatId}/search`, { query, limit: 50 }))
    return (await Promise.all(found)).map(({ body }) => body.results)
  }

  /** The search results when all background jobs have finished. */
  async settled(): Promise<{ found: unknown[]; graph: Graph }> {
    const look = async () => ({ found: await this.search(), graph: await this.graph() })
    let found = await look()
    // Rarely, because reading takes processor time from the jobs.
    for (let same = 0; same < 3; ) {
      await delay(1200)
      const next = await look()
      same = isDeepStrictEqual(next, found) ? same + 1 : 0
      found = next
    }
    return found
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)]
  }

  #node(graph: Graph, label: string) {
    return this.#pick(graph.nodes.filter(({ labels }) => labels[0] === label))
  }

  /** Text with characters of two UTF-16 units, so that offsets in characters would be wrong. */
  #text(): string {
    const text = sampleText(Math.floor(this.#random() * 50))
    // Background jobs relate prose, and can run between any two steps.
    const prose = this.#random() < 0.5 ? `\n\n${millText}` : ''
    return `${'😀 '.repeat(Math.floor(this.#random() * 3))}${text}${prose}`
  }

  async #call(method: string, path: string, body?: object): Promise<void> {
    await this.#tenant.chat.ok(method, path, body)
  }

  #upload(): Promise<void> {
    const form = uploadForm(`file ${this.#count++}.md`, this.#text())
    return this.#call('POST', `/v1/${this.#tenant.chatId}/upload_with_scopes`, form)
  }

  #create(): Promise<void> {
    const chat_id = this.#tenant.chatId
    const pdf_id = `${chat_id}-${this.#count++}`
    const filename = `paper ${this.#count}.pdf`
    return this.#call('POST', '/create_nodes_and_embeddings', {
      pdf_text: this.#text(),
      pdf_id,
      chat_id,
      filename,
    })
  }

  #editChunk(graph: Graph): Promise<void> {
    const text = `${this.#text().slice(0, 1 + Math.floor(this.#random() * 900))} edited 😀 zeppelin ${this.#count++}`
    return this.#call('PUT', `/update_node/${this.#node(graph, 'Chunk')?.id}`, { text, mark: this.#count })
  }

  #rename(graph: Graph): Promise<void> {
    const filename = `renamed file ${this.#count++}`
    return this.#call('PUT', `/update_node/${this.#node(graph, 'Document')?.id}`, { filename })
  }

  #deleteChunk(graph: Graph): Promise<void> {
    return this.#call('DELETE', `/delete_node/${this.#node(graph, 'Chunk')?.id}`)
  }

  #deleteFile(graph: Graph): Promise<void> {
    const { chatId } = this.#tenant
    const id = this.#node(graph, 'Document')?.id
    const paths = [`/delete_node/${id}`, `/remove_context/${id}`, `/v1/${chatId}/files/${id}`]
    return this.#call('DELETE', this.#pick(paths) ?? '')
  }

  async #relate(graph: Graph): Promise<void> {
    const [source_id, target_id] = [this.#node(graph, 'Chunk')?.id, this.#node(graph, 'Chunk')?.id]
    if (source_id === target_id) return
    const properties = { confidence: this.#random() }
    await this.#call('POST', '/create_relationship', {
      source_id,
      target_id,
      relationship_type: 'EXPLAINS',
      properties,
    })
  }

  async #editRelationship(graph: Graph): Promise<void> {
    const edge = this.#pick(graph.relationships.filter((edge) => !isMade(edge)))
    await this.#call('PUT', `/update_relationship/${edge?.id}`, { confidence: this.#random() })
  }

  async #deleteRelationship(graph: Graph): Promise<void> {
    const edge = this.#pick(graph.relationships.filter((edge) => edge.type === 'EXPLAINS' && !isMade(edge)))
    if (edge) await this.#call('DELETE', `/delete_relationship/${edge.id}`)
  }
}

describe.each(databases)('a chat after any sequence of changes, on $database', ({ database, env }) => {
  const servers: Server[] = []
  afterAll(async () => {
    for (const server of servers) await server.stop()
  })

  it.each(seeds[database])(
    'is consistent in the graph, for the doctor and in a new index, with seed %i',
    { timeout: 120_000 },
    async (seed) => {
      const place = await createPlace(await env())
      const start = async () => {
        const server = await startServer({ dataDir: place.dataDir, env: place.env })
        servers.push(server)
        return server
      }
      const server = await start()
      const tenant = await createTenant(server.url, ['ingest', 'read', 'write', 'query', 'admin'])
      const wanderer = new Wanderer(seed, tenant)
      let graph = await wanderer.graph()
      for (let step = 0; step < steps; step++) {
        await wanderer.step(graph)
        // Each search updates the index, so it is not only updated once at the end.
        if (step % 7 === 0) await wanderer.search()
        graph = await wanderer.graph()
        expect(graphFaults(graph), `step ${step}`).toEqual([])
      }
      const before = await wanderer.settled()
      expect(before.graph.nodes.length).toBeGreaterThan(60)
      expect(before.graph.relationships.filter(isMade).length).toBeGreaterThan(3)
      expect(before.found.flat().length).toBeGreaterThan(50)
      const examined = await runCommand(place, ['doctor'])
      expect(examined.stdout).toContain('no fault')
      expect(examined.code).toBe(0)
      await server.stop()

      const again = await start()
      const { chatKey, chatId } = tenant
      const sameTenant = { ...tenant, chat: new Api(again.url).withKey(chatKey), chatId }
      const fresh = new Wanderer(seed, sameTenant)
      expect(await fresh.settled()).toEqual(before)
      await again.stop()
      await place.remove()
    },
  )
})
