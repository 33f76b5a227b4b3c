import {
  CairnError,
  type DeletedNodes,
  type GraphData,
  type GraphNode,
  type GraphStatus,
  type UpdateNode,
} from '@cairn/contract'
import { storable } from '../../lib/storable.ts'
import { checkProperties, type EditService, type FileService } from '../documents/index.ts'
import { type ChunkNode, type DocumentNode, type GraphStore, linksOf } from './store.ts'

/** What a node is, and what the server works out of it: never set, whatever a body says. */
const fixedProperties = new Set([
  'id',
  'node_id',
  'nodeId',
  'file_id',
  'fileId',
  'chunk_id',
  'chunkId',
  'chat_id',
  'chatId',
  'type',
  'label',
  'labels',
  'uploadDate',
  'sizeBytes',
  'embedding',
  'embeddings',
])

export interface GraphDependencies {
  store: GraphStore
  edits: EditService
  files: FileService
}

function documentNode(chatId: string, node: DocumentNode): GraphNode {
  const { file_id, filename, created_at, size_bytes, properties } = node
  const own = { id: file_id, filename, chatId, uploadDate: created_at, sizeBytes: size_bytes }
  return { id: file_id, labels: ['Document'], properties: { ...own, ...(JSON.parse(properties) as object) } }
}

function chunkNode(chatId: string, { chunk_id, text, properties }: ChunkNode): GraphNode {
  const own = { id: chunk_id, text, chatId }
  return { id: chunk_id, labels: ['Chunk'], properties: { ...own, ...(JSON.parse(properties) as object) } }
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1
}

function notFound(): CairnError {
  return new CairnError('not_found', 'node not found')
}

/** What a body changes of a node, beside the one property that says what the node holds. */
function changesOf(added: Record<string, unknown>, name: string, content: string | null | undefined) {
  const properties = checkProperties(added, fixedProperties)
  if (content != null || Object.keys(properties).length > 0) return properties
  throw new CairnError(
    'invalid_request',
    `the request body names nothing to change; ${name} and properties of your own can be set`,
  )
}

/** The documents and chunks of a chat as nodes. */
export class GraphService {
  readonly #dependencies: GraphDependencies

  constructor(dependencies: GraphDependencies) {
    this.#dependencies = dependencies
  }

  /** All documents and chunks of a chat with their relationships. */
  async read(chatId: string): Promise<GraphData> {
    const { store } = this.#dependencies
    // One after the other, and only what fits together: no document is shown with a part of its chunks, and no
    // relationship of one that came or went meanwhile.
    const documents = await store.documents(chatId)
    const held = new Set(documents.map(({ file_id }) => file_id))
    const chunks = (await store.chunks(chatId)).filter(({ file_id }) => held.has(file_id))
    const added = await store.linkProperties(chatId)
    const there = new Set(chunks.map(({ chunk_id }) => chunk_id))
    const stored = (await store.relationships(chatId)).filter(
      ({ source, target }) => there.has(source) && there.has(target),
    )
    const filled = new Set(chunks.map(({ file_id }) => file_id))
    const nodes = [
      ...documents
        .filter(({ file_id }) => filled.has(file_id))
        .map((document) => documentNode(chatId, document)),
      ...chunks.map((chunk) => chunkNode(chatId, chunk)),
    ]
    return { nodes, relationships: [...linksOf(chunks, added), ...stored].sort(byId) }
  }

  /** How far the background work is that relates passages. */
  async status(chatId: string): Promise<GraphStatus> {
    return { chat_id: chatId, ...(await this.#dependencies.store.status(chatId)) }
  }

  async node(chatId: string, nodeId: string): Promise<GraphNode> {
    const { store } = this.#dependencies
    const document = await store.findDocument(chatId, nodeId)
    if (document) return documentNode(chatId, document)
    const chunk = await store.findChunk(chatId, nodeId)
    if (!chunk) throw notFound()
    return chunkNode(chatId, chunk)
  }

  /** What is not named stays. A chunk's new text is searched and cited when this resolves. */
  async update(chatId: string, nodeId: string, body: UpdateNode): Promise<GraphNode> {
    if (await this.#isDocument(chatId, nodeId)) await this.#updateDocument(chatId, nodeId, body)
    else await this.#updateChunk(chatId, nodeId, body)
    return this.node(chatId, nodeId)
  }

  /** A document goes with its chunks; a chunk leaves its neighbours joined, and with the last one its document goes. */
  async delete(chatId: string, nodeId: string): Promise<DeletedNodes> {
    const { edits, files } = this.#dependencies
    if (await this.#isDocument(chatId, nodeId)) {
      const { filename, chunkCount, relationshipCount } = await files.remove(chatId, nodeId)
      return deleted(`${filename} and its chunks are deleted`, 1 + chunkCount, relationshipCount)
    }
    const { document, relationshipCount } = await edits.removeChunk(chatId, nodeId)
    if (!document) return deleted('the chunk is deleted', 1, relationshipCount)
    const message = `the chunk is deleted, and ${document.filename} with it, whose last one it was`
    return deleted(message, 1 + document.chunkCount, relationshipCount)
  }

  async #updateDocument(chatId: string, fileId: string, body: UpdateNode): Promise<void> {
    const { filename, text, ...added } = body
    if (text != null) {
      throw new CairnError('invalid_request', 'text is of chunks: change those of the document')
    }
    const properties = changesOf(added, 'filename', filename)
    await this.#dependencies.edits.updateDocument(chatId, fileId, {
      filename: filename ?? undefined,
      properties,
    })
  }

  async #updateChunk(chatId: string, chunkId: string, { text, ...added }: UpdateNode): Promise<void> {
    const properties = changesOf(added, 'text', text)
    await this.#dependencies.edits.updateChunk(chatId, chunkId, {
      text: text == null ? undefined : storable(text),
      properties,
    })
  }

  async #isDocument(chatId: string, nodeId: string): Promise<boolean> {
    return (await this.#dependencies.store.findDocument(chatId, nodeId)) !== undefined
  }
}

function deleted(message: string, nodes: number, relationships: number): DeletedNodes {
  return { status: 'success', message, nodes_deleted: nodes, relationships_deleted: relationships }
}
