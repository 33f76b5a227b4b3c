import type { GraphRelationship, RelationshipType } from '@cairn/contract'
import type { Db, Tables } from '../../db/index.ts'
import { parseStoredJson } from '../../lib/json/stored.ts'
import { countRelating } from '../documents/index.ts'
import { linkId, linkOf } from './links.ts'

export type GraphStore = ReturnType<typeof createGraphStore>

export type DocumentNode = Pick<
  Tables['documents'],
  'file_id' | 'filename' | 'created_at' | 'size_bytes' | 'chunk_count' | 'properties'
>
export type ChunkNode = Pick<Tables['chunks'], 'chunk_id' | 'file_id' | 'chunk_order' | 'text' | 'properties'>

type Properties = Record<string, unknown>

function toRelationship(row: Tables['relationships']): GraphRelationship {
  return {
    id: row.relationship_id,
    source: row.source_id,
    target: row.target_id,
    type: row.type as RelationshipType,
    properties: parseStoredJson(row.properties) as Properties,
  }
}

/** Properties that users have set on HAS_CHUNK and NEXT, by relationship id. */
export type LinkProperties = ReadonlyMap<string, Properties>

/** HAS_CHUNK and NEXT of chunks, which must be grouped by file and in order. */
export function* linksOf(
  chunks: readonly LinkedChunk[],
  userProperties: LinkProperties,
): Generator<GraphRelationship> {
  for (const [index, chunk] of chunks.entries()) {
    const next = chunks[index + 1]
    yield hasChunk(chunk, userProperties)
    if (next?.file_id === chunk.file_id) yield nextLink(chunk.chunk_id, next.chunk_id, userProperties)
  }
}

export type LinkedChunk = Pick<ChunkNode, 'chunk_id' | 'file_id' | 'chunk_order'>

/** The property `order` comes first, and is always the order of the chunk, even if a user has set it. */
function hasChunk(
  { chunk_id, file_id, chunk_order }: LinkedChunk,
  userProperties: LinkProperties,
): GraphRelationship {
  const [id, order] = [linkId(chunk_id, 'HAS_CHUNK'), { order: chunk_order }]
  const properties = { ...order, ...userProperties.get(id), ...order }
  return { id, source: file_id, target: chunk_id, type: 'HAS_CHUNK', properties }
}

function nextLink(source: string, target: string, userProperties: LinkProperties): GraphRelationship {
  const id = linkId(source, 'NEXT')
  return { id, source, target, type: 'NEXT', properties: { ...userProperties.get(id) } }
}

export function createGraphStore(db: Db) {
  function documentsOf(chatId: string, read = db.read) {
    return read
      .selectFrom('documents')
      .select(['file_id', 'filename', 'created_at', 'size_bytes', 'chunk_count', 'properties'])
      .where('chat_id', '=', chatId)
  }

  function chunksOf(chatId: string, read = db.read) {
    return read
      .selectFrom('chunks')
      .select(['chunk_id', 'file_id', 'chunk_order', 'text', 'properties'])
      .where('chat_id', '=', chatId)
  }

  function relationshipsOf(chatId: string, read = db.read) {
    return read.selectFrom('relationships').selectAll().where('chat_id', '=', chatId)
  }

  async function linkProperties(chatId: string, chunkId?: string): Promise<LinkProperties> {
    const rows = await db.read
      .selectFrom('link_properties')
      .select(['chunk_id', 'type', 'properties'])
      .where('chat_id', '=', chatId)
      .$if(chunkId !== undefined, (query) => query.where('chunk_id', '=', chunkId ?? ''))
      .execute()
    return new Map(
      rows.map(({ chunk_id, type, properties }) => [
        linkId(chunk_id, type),
        parseStoredJson(properties) as Properties,
      ]),
    )
  }

  /** Reads the chunk in a derived id and the following chunk, and returns the HAS_CHUNK or NEXT with this id. */
  async function findLink(chatId: string, relationshipId: string): Promise<GraphRelationship | undefined> {
    const chunkId = linkOf(relationshipId)?.chunkId
    if (chunkId === undefined) return undefined
    const chunk = chunksOf(chatId).where('chunk_id', '=', chunkId)
    const chunkAndNext = await db.read
      .selectFrom(chunk.as('chunk'))
      .innerJoin('chunks', (join) =>
        join
          .onRef('chunks.file_id', '=', 'chunk.file_id')
          .on('chunks.chat_id', '=', chatId)
          .on(({ eb, ref }) =>
            eb('chunks.chunk_order', 'in', [ref('chunk.chunk_order'), eb('chunk.chunk_order', '+', 1)]),
          ),
      )
      .select(['chunks.chunk_id', 'chunks.file_id', 'chunks.chunk_order'])
      .orderBy('chunks.chunk_order')
      .execute()
    const links = linksOf(chunkAndNext, await linkProperties(chatId, chunkId))
    return links.find(({ id }) => id === relationshipId)
  }

  // Reads of the whole graph use `db.scans`, so that they do not occupy the connections for short reads.
  return {
    /** Documents of a chat, oldest first. */
    documents(chatId: string): Promise<DocumentNode[]> {
      return documentsOf(chatId, db.scans).orderBy('created_at').orderBy('file_id').execute()
    },

    /** The chunks of documents, grouped by document and in order. */
    chunks(chatId: string, fileIds: readonly string[]): Promise<ChunkNode[]> {
      return chunksOf(chatId, db.scans)
        .where('file_id', 'in', fileIds)
        .orderBy('file_id')
        .orderBy('chunk_order')
        .execute()
    },

    linkProperties,

    status: (chatId: string) => countRelating(db, chatId),

    /** Stored relationships (not HAS_CHUNK and NEXT) with ids after `after`, in the order of their ids. */
    async relationships(chatId: string, after: string, limit: number): Promise<GraphRelationship[]> {
      const rows = await relationshipsOf(chatId, db.scans)
        .where('relationship_id', '>', after)
        .orderBy('relationship_id')
        .limit(limit)
        .execute()
      return rows.map(toRelationship)
    },

    findDocument(chatId: string, fileId: string): Promise<DocumentNode | undefined> {
      return documentsOf(chatId).where('file_id', '=', fileId).executeTakeFirst()
    },

    findChunk(chatId: string, chunkId: string): Promise<ChunkNode | undefined> {
      return chunksOf(chatId).where('chunk_id', '=', chunkId).executeTakeFirst()
    },

    async findRelationship(chatId: string, relationshipId: string): Promise<GraphRelationship | undefined> {
      const link = await findLink(chatId, relationshipId)
      if (link) return link
      const stored = relationshipsOf(chatId).where('relationship_id', '=', relationshipId)
      const row = await stored.executeTakeFirst()
      return row && toRelationship(row)
    },
  }
}
