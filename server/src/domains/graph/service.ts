import {
  CairnError,
  type DeletedNodes,
  type GraphNode,
  type GraphRelationship,
  type GraphStatus,
  type UpdateNode,
} from '@cairn/contract'
import type { Tenant } from '../../lib/fair-queue.ts'
import { parseStoredJson } from '../../lib/json/stored.ts'
import { inPieces } from '../../lib/pieces.ts'
import type { Scan, Scans } from '../../lib/scans.ts'
import { storable } from '../../lib/storable.ts'
import { checkProperties, type EditService, type FileService } from '../documents/index.ts'
import { type ChunkNode, type DocumentNode, type GraphStore, type LinkedChunk, linksOf } from './store.ts'

/** Approximate chunks, and exact relationships, that are read in one step. */
const [chunkStep, relationshipStep] = [250, 1000]

/** Names of properties that only the server sets; they are ignored in a body. */
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
  scans: Scans
}

function documentNode(chatId: string, node: DocumentNode): GraphNode {
  const { file_id, filename, created_at, size_bytes, properties } = node
  const fixed = { id: file_id, filename, chatId, uploadDate: created_at, sizeBytes: size_bytes }
  return {
    id: file_id,
    labels: ['Document'],
    properties: { ...fixed, ...(parseStoredJson(properties) as object) },
  }
}

function chunkNode(chatId: string, { chunk_id, text, properties }: ChunkNode): GraphNode {
  const fixed = { id: chunk_id, text, chatId }
  return {
    id: chunk_id,
    labels: ['Chunk'],
    properties: { ...fixed, ...(parseStoredJson(properties) as object) },
  }
}

function* nodesOf(
  chatId: string,
  document: DocumentNode,
  chunks: readonly ChunkNode[],
): Generator<GraphNode> {
  yield documentNode(chatId, document)
  for (const chunk of chunks) yield chunkNode(chatId, chunk)
}

/** Groups documents whose chunks are read in one step. */
function* partsOf(documents: readonly DocumentNode[]): Generator<DocumentNode[]> {
  let [part, chunks]: [DocumentNode[], number] = [[], 0]
  for (const document of documents) {
    part.push(document)
    chunks += document.chunk_count
    if (chunks < chunkStep && part.length < chunkStep) continue
    yield part
    ;[part, chunks] = [[], 0]
  }
  if (part.length > 0) yield part
}

function notFound(): CairnError {
  return new CairnError('not_found', 'node not found')
}

/**
 * Checks the custom properties of an update.
 *
 * @param name the field with the node's content: `filename` of a document, `text` of a chunk
 * @throws CairnError `invalid_request` for an invalid property, or if there is neither content nor a property
 */
function changesOf(added: Record<string, unknown>, name: string, content: string | null | undefined) {
  const properties = checkProperties(added, fixedProperties)
  if (content != null || Object.keys(properties).length > 0) return properties
  throw new CairnError(
    'invalid_request',
    `the request body contains nothing to change; set ${name} or custom properties`,
  )
}

/** The documents and chunks of a chat as nodes. */
export class GraphService {
  readonly #dependencies: GraphDependencies

  constructor(dependencies: GraphDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * All documents and chunks of a chat with their relationships, as the JSON of `GraphData`. A large chat has tens of
   * megabytes, so parts are read while they are sent, each in a turn of the tenant.
   */
  readAsJson(chatId: string, tenant: Tenant, signal?: AbortSignal): AsyncGenerator<string> {
    const scan = this.#dependencies.scans.begin(tenant, { signal, limitMs: Number.POSITIVE_INFINITY })
    return inPieces(this.#partsOfJson(chatId, scan))
  }

  async *#partsOfJson(chatId: string, scan: Scan): AsyncGenerator<string> {
    const sent: LinkedChunk[] = []
    let separator = '{"nodes":['
    for await (const nodes of this.#nodes(chatId, scan, sent)) {
      for (const node of nodes) {
        yield separator + JSON.stringify(node)
        separator = ','
      }
    }
    if (sent.length === 0) yield separator
    separator = '],"relationships":['
    for await (const relationships of this.#relationships(chatId, scan, sent)) {
      for (const relationship of relationships) {
        yield separator + JSON.stringify(relationship)
        separator = ','
      }
    }
    yield separator === ',' ? ']}' : `${separator}]}`
  }

  /** Yields each document with all of its chunks, and adds the chunks to `sent`. */
  async *#nodes(chatId: string, scan: Scan, sent: LinkedChunk[]): AsyncGenerator<Iterable<GraphNode>> {
    const { store } = this.#dependencies
    const documents = await scan.step(() => store.documents(chatId))
    for (const part of partsOf(documents)) {
      const ids = part.map(({ file_id }) => file_id)
      const chunks = Map.groupBy(await scan.step(() => store.chunks(chatId, ids)), ({ file_id }) => file_id)
      for (const document of part) {
        const ofDocument = chunks.get(document.file_id) ?? []
        // The document was deleted meanwhile.
        if (ofDocument.length === 0) continue
        for (const { chunk_id, file_id, chunk_order } of ofDocument) {
          sent.push({ chunk_id, file_id, chunk_order })
        }
        yield nodesOf(chatId, document, ofDocument)
      }
    }
  }

  /** Yields the relationships between the sent chunks. Other chunks were added or deleted meanwhile. */
  async *#relationships(
    chatId: string,
    scan: Scan,
    chunks: readonly LinkedChunk[],
  ): AsyncGenerator<Iterable<GraphRelationship>> {
    const { store } = this.#dependencies
    yield linksOf(chunks, await scan.step(() => store.linkProperties(chatId)))
    const sentIds = new Set(chunks.map(({ chunk_id }) => chunk_id))
    for (let after = ''; ; ) {
      const stored = await scan.step(() => store.relationships(chatId, after, relationshipStep))
      yield stored.filter(({ source, target }) => sentIds.has(source) && sentIds.has(target))
      after = stored.at(-1)?.id ?? ''
      if (stored.length < relationshipStep) return
    }
  }

  /** Progress of the background jobs that relate passages. */
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

  /** Sets the given properties; others stay unchanged. When it resolves, a chunk's new text is searchable. */
  async update(chatId: string, nodeId: string, body: UpdateNode): Promise<GraphNode> {
    if (await this.#isDocument(chatId, nodeId)) await this.#updateDocument(chatId, nodeId, body)
    else await this.#updateChunk(chatId, nodeId, body)
    return this.node(chatId, nodeId)
  }

  /**
   * Deletes a document with its chunks, or a chunk. The chunk's neighbours are then connected by NEXT. Deleting the
   * last chunk deletes the document.
   */
  async delete(chatId: string, nodeId: string): Promise<DeletedNodes> {
    const { edits, files } = this.#dependencies
    if (await this.#isDocument(chatId, nodeId)) {
      const { filename, chunkCount, relationshipCount } = await files.delete(chatId, nodeId)
      return deleted(`${filename} and its chunks are deleted`, 1 + chunkCount, relationshipCount)
    }
    const { document, relationshipCount } = await edits.removeChunk(chatId, nodeId)
    if (!document) return deleted('the chunk is deleted', 1, relationshipCount)
    const message = `the chunk is deleted, and with its last chunk also ${document.filename}`
    return deleted(message, 1 + document.chunkCount, relationshipCount)
  }

  async #updateDocument(chatId: string, fileId: string, body: UpdateNode): Promise<void> {
    const { filename, text, ...added } = body
    if (text != null) {
      throw new CairnError('invalid_request', 'a document has no text of its own; edit its chunks')
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
