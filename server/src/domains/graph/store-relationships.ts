import { limits, type RelationshipType } from '@cairn/contract'
import type { Db, Trx } from '../../db/index.ts'
import { newId } from '../../lib/ids.ts'
import {
  deleteRelationship,
  insertRelationships,
  keepLinkProperties,
  mergeProperties,
  type PropertyChanges,
  updateRelationship,
  withLockedChat,
} from '../documents/index.ts'
import { type LinkType, linkOf } from './links.ts'

export interface NewRelationship {
  sourceId: string
  targetId: string
  type: RelationshipType
  properties: PropertyChanges
}

export type RelationshipStore = ReturnType<typeof createRelationshipStore>

async function isChunk(trx: Trx, chatId: string, chunkId: string): Promise<boolean> {
  const query = trx.selectFrom('chunks').select('chunk_id').where('chat_id', '=', chatId)
  return (await query.where('chunk_id', '=', chunkId).executeTakeFirst()) !== undefined
}

/** Sets properties of a HAS_CHUNK or NEXT; returns false for any other id. */
async function updateLink(
  trx: Trx,
  chatId: string,
  relationshipId: string,
  changes: PropertyChanges,
): Promise<boolean> {
  const link = linkOf(relationshipId)
  if (!link || !(await isLink(trx, chatId, link))) return false
  const key = { chat_id: chatId, chunk_id: link.chunkId, type: link.type }
  const row = await trx
    .selectFrom('link_properties')
    .select('properties')
    .where((eb) => eb.and(key))
    .executeTakeFirst()
  const properties = mergeProperties(row?.properties ?? '{}', changes)
  await keepLinkProperties(trx, { ...key, properties })
  return true
}

/** Whether the chunk exists, and for NEXT also the following chunk. */
async function isLink(
  trx: Trx,
  chatId: string,
  { chunkId, type }: { chunkId: string; type: LinkType },
): Promise<boolean> {
  const chunks = trx.selectFrom('chunks').where('chat_id', '=', chatId)
  const query = chunks.select(['file_id', 'chunk_order']).where('chunk_id', '=', chunkId)
  const chunk = await query.executeTakeFirst()
  if (!chunk || type === 'HAS_CHUNK') return chunk !== undefined
  const next = chunks.select('chunk_id').where('file_id', '=', chunk.file_id)
  return (await next.where('chunk_order', '=', chunk.chunk_order + 1).executeTakeFirst()) !== undefined
}

async function updateStored(
  trx: Trx,
  chatId: string,
  relationshipId: string,
  changes: PropertyChanges,
): Promise<boolean> {
  const query = trx.selectFrom('relationships').select('properties').where('chat_id', '=', chatId)
  const row = await query.where('relationship_id', '=', relationshipId).executeTakeFirst()
  if (!row) return false
  const key = { chat_id: chatId, relationship_id: relationshipId }
  await updateRelationship(trx, key, {
    properties: mergeProperties(row.properties, changes),
    // Without a document, the relationship counts as made by the caller, so the relating job keeps it.
    ...(changes.ai_generated === false && { file_id: null }),
  })
  return true
}

/** The number of relationships that begin or end at a chunk. */
async function countOf(trx: Trx, chatId: string, chunkId: string): Promise<number> {
  let count = 0
  for (const end of ['source_id', 'target_id'] as const) {
    const { found } = await trx
      .selectFrom('relationships')
      .select((eb) => eb.fn.countAll<number>().as('found'))
      .where('chat_id', '=', chatId)
      .where(end, '=', chunkId)
      .executeTakeFirstOrThrow()
    count += found
  }
  return count
}

/** Changes of relationships, which do not affect the search index. */
export function createRelationshipStore(db: Db) {
  return {
    /** Returns the id of the new relationship, undefined if one of its ends is not a chunk of the chat, or `full`. */
    insert(
      chatId: string,
      { sourceId, targetId, type, properties }: NewRelationship,
    ): Promise<{ id: string } | 'full' | undefined> {
      return withLockedChat(db, chatId, async (trx) => {
        for (const end of [sourceId, targetId]) {
          if (!(await isChunk(trx, chatId, end))) return undefined
          if ((await countOf(trx, chatId, end)) >= limits.relationshipsPerChunk) return 'full'
        }
        const row = {
          chat_id: chatId,
          relationship_id: newId('rel_'),
          source_id: sourceId,
          target_id: targetId,
          type,
          properties: mergeProperties('{}', properties),
          file_id: null,
        }
        await insertRelationships(trx, [row])
        return { id: row.relationship_id }
      })
    },

    /** Returns false if the chat has no such relationship. */
    async update(chatId: string, relationshipId: string, changes: PropertyChanges): Promise<boolean> {
      const done = await withLockedChat(
        db,
        chatId,
        async (trx) =>
          (await updateLink(trx, chatId, relationshipId, changes)) ||
          (await updateStored(trx, chatId, relationshipId, changes)),
      )
      return done ?? false
    },

    /** Returns false if the chat has no such relationship. */
    remove(chatId: string, relationshipId: string): Promise<boolean> {
      return db.transaction((trx) => deleteRelationship(trx, chatId, relationshipId))
    },
  }
}
