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

/** Returns false if the chat has no such relationship. */
export async function deleteRelationship(trx: Trx, chatId: string, relationshipId: string): Promise<boolean> {
  const one = deletion(trx, chatId).where('relationship_id', '=', relationshipId)
  return (await one.executeTakeFirst()).numDeletedRows > 0n
}

/** Deletes the relationships that the background job created from a document. */
export async function deleteRelationshipsMadeFrom(trx: Trx, chatId: string, fileId: string): Promise<void> {
  await deletion(trx, chatId).where('file_id', '=', fileId).execute()
}

/**
 * Deletes the relationships that begin or end at one of the chunks; returns their number. It uses one statement per
 * end: with both ends in one condition, SQLite would scan every relationship of the chat.
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

/** The step of a chat's deletion that deletes its relationships. */
export const relationshipDeletion = (db: Db) =>
  deletionOf(db, { table: 'relationships', key: ['chat_id', 'relationship_id'], column: 'chat_id' })

/** Deletes all relationships of a chat; returns their number. */
export async function deleteAllRelationships(trx: Trx, chatId: string): Promise<number> {
  return Number((await deletion(trx, chatId).executeTakeFirst()).numDeletedRows)
}

/** Stores properties that users set on a HAS_CHUNK or NEXT link; replaces earlier ones. */
export async function keepLinkProperties(trx: Trx, row: LinkRow): Promise<void> {
  const { properties } = row
  await trx
    .insertInto('link_properties')
    .values(row)
    .onConflict((conflict) => conflict.columns(['chat_id', 'chunk_id', 'type']).doUpdateSet({ properties }))
    .execute()
}

/** Deletes properties that users set on the NEXT links that begin at the chunks. */
export async function forgetNextProperties(trx: Trx, chatId: string, chunkIds: ChunkIds): Promise<void> {
  await trx
    .deleteFrom('link_properties')
    .where('chat_id', '=', chatId)
    .where('chunk_id', 'in', chunkIds)
    .where('type', '=', 'NEXT')
    .execute()
}
