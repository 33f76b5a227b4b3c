import {
  CairnError,
  type CreateRelationship,
  type DeletedNodes,
  type GraphRelationship,
  limits,
  type UpdateRelationship,
} from '@cairn/contract'
import { checkProperties } from '../documents/index.ts'
import type { GraphStore } from './store.ts'
import type { RelationshipStore } from './store-relationships.ts'

/** Names of properties that only the server sets; they are ignored in a body. */
const fixedProperties = new Set([
  'id',
  'relationship_id',
  'relationshipId',
  'source',
  'source_id',
  'sourceId',
  'target',
  'target_id',
  'targetId',
  'chat_id',
  'chatId',
  'type',
  'relationship_type',
  'order',
  'embedding',
  'embeddings',
])

function notFound(): CairnError {
  return new CairnError('not_found', 'relationship not found')
}

/**
 * Relationships between chunks. HAS_CHUNK and NEXT are derived from the chunks, so they cannot be created or deleted.
 */
export class RelationshipService {
  readonly #store: RelationshipStore
  readonly #graph: GraphStore

  constructor(store: RelationshipStore, graph: GraphStore) {
    this.#store = store
    this.#graph = graph
  }

  async create(chatId: string, request: CreateRelationship): Promise<GraphRelationship> {
    const { source_id: sourceId, target_id: targetId, relationship_type: type } = request
    if (sourceId === targetId) {
      throw new CairnError('invalid_request', 'target_id must differ from source_id')
    }
    await this.#checkEnd(chatId, 'source_id', sourceId)
    await this.#checkEnd(chatId, 'target_id', targetId)
    const properties = checkProperties(request.properties ?? {}, fixedProperties, 'properties')
    const inserted = await this.#store.insert(chatId, { sourceId, targetId, type, properties })
    if (inserted === undefined) throw new CairnError('not_found', 'node not found in this chat')
    if (inserted === 'full') {
      const message = `a chunk has at most ${limits.relationshipsPerChunk} relationships; delete some`
      throw new CairnError('conflict', message)
    }
    return this.#read(chatId, inserted.id)
  }

  /** Sets the given properties; others stay unchanged. */
  async update(chatId: string, relationshipId: string, body: UpdateRelationship): Promise<GraphRelationship> {
    const changes = checkProperties(body, fixedProperties)
    if (Object.keys(changes).length === 0) {
      throw new CairnError('invalid_request', 'the request body contains no property that can be changed')
    }
    if (!(await this.#store.update(chatId, relationshipId, changes))) throw notFound()
    return this.#read(chatId, relationshipId)
  }

  async delete(chatId: string, relationshipId: string): Promise<DeletedNodes> {
    const { type } = await this.#read(chatId, relationshipId)
    if (type === 'HAS_CHUNK' || type === 'NEXT') {
      const message = `a ${type} relationship cannot be deleted by itself; delete the chunk or the document`
      throw new CairnError('invalid_request', message)
    }
    if (!(await this.#store.remove(chatId, relationshipId))) throw notFound()
    return {
      status: 'success',
      message: 'the relationship is deleted',
      nodes_deleted: 0,
      relationships_deleted: 1,
    }
  }

  async #read(chatId: string, relationshipId: string): Promise<GraphRelationship> {
    const found = await this.#graph.findRelationship(chatId, relationshipId)
    if (!found) throw notFound()
    return found
  }

  async #checkEnd(chatId: string, field: string, nodeId: string): Promise<void> {
    if (await this.#graph.findChunk(chatId, nodeId)) return
    if (await this.#graph.findDocument(chatId, nodeId)) {
      throw new CairnError('invalid_request', `${field} must be a chunk: relationships are between chunks`)
    }
    throw new CairnError('not_found', `${field}: node not found in the chat of the other node`)
  }
}
