import type { SelectQueryBuilder } from 'kysely'
import { type Db, insertRows, type Tables, type Trx } from '../../db/index.ts'
import { deletionOf } from '../../jobs/index.ts'

export type RelationshipRow = Tables['relationships']
type LinkRow = Tables['link_properties']
type ChunkIds = SelectQueryBuilder<Tables, 'chunk_rows', { chunk_id: string }>

const columns = [
  'chat_id',
  'relationship_id',
  'source_id',
  'target_id',
  'type',
  'properties',
  'file_id',
] as const

export async function insertRelationships(trx: Trx, rows: readonly RelationshipRow[]): Promise<void> {
  const values = rows.map((row) => columns.map((column) => row[column]))
  await insertRows(trx, { table: 'relationships', columns, rows: values })
}

export async function updateRelationship(
  trx: Trx,
  { chat_id, relationship_id }: Pick<RelationshipRow, 'chat_id' | 'relationship_id'>,
  changes: Partial<Pick<RelationshipRow, 'properties' | 'file_id'>>,
): Promise<void> {
  await trx
    .updateTable('relationships')
    .set(changes)
    .where('chat_id', '=', chat_id)
    .where('relationship_id', '=', relationship_id)
    .execute()
}

function deletion(trx: Trx, chatId: string) {
  return trx.deleteFrom('relationships').where('chat_id', '=', chatId)
}

/** False when the chat has no such relationship. */
export async function deleteRelationship(trx: Trx, chatId: string, relationshipId: string): Promise<boolean> {
  const one = deletion(trx, chatId).where('relationship_id', '=', relationshipId)
  return (await one.executeTakeFirst()).numDeletedRows > 0n
}

/** Deletes those that background work has made from a document. */
export async function deleteRelationshipsMadeFrom(trx: Trx, chatId: string, fileId: string): Promise<void> {
  await deletion(trx, chatId).where('file_id', '=', fileId).execute()
}

/**
 * Deletes those that begin or end at one of the chunks; returns how many. One end after the other: with both in one
 * condition, SQLite would look at every relationship of the chat.
 */
export async function deleteRelationshipsOf(
  trx: Trx,
  chatId: string,
  chunkIds: readonly string[] | ChunkIds,
): Promise<number> {
  let deleted = 0
  for (const end of ['source_id', 'target_id'] as const) {
    const { numDeletedRows } = await deletion(trx, chatId).where(end, 'in', chunkIds).executeTakeFirst()
    deleted += Number(numDeletedRows)
  }
  return deleted
}

/** A step of the deletion of a chat. */
export const relationshipDeletion = (db: Db) =>
  deletionOf(db, { table: 'relationships', key: ['chat_id', 'relationship_id'], column: 'chat_id' })

/** Deletes all of a chat; returns how many. */
export async function deleteAllRelationships(trx: Trx, chatId: string): Promise<number> {
  return Number((await deletion(trx, chatId).executeTakeFirst()).numDeletedRows)
}

/** Keeps what people add to a HAS_CHUNK or NEXT, in the place of what was there. */
export async function keepLinkProperties(trx: Trx, row: LinkRow): Promise<void> {
  const { properties } = row
  await trx
    .insertInto('link_properties')
    .values(row)
    .onConflict((conflict) => conflict.columns(['chat_id', 'chunk_id', 'type']).doUpdateSet({ properties }))
    .execute()
}

/** Forgets what people have added to the NEXT that begins at one of the chunks. */
export async function forgetNextProperties(trx: Trx, chatId: string, chunkIds: ChunkIds): Promise<void> {
  await trx
    .deleteFrom('link_properties')
    .where('chat_id', '=', chatId)
    .where('chunk_id', 'in', chunkIds)
    .where('type', '=', 'NEXT')
    .execute()
}
