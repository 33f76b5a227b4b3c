import type { Db } from '../../db/index.ts'
import { parseStoredJson } from '../../lib/json/stored.ts'
import { createPacer } from '../../lib/turns.ts'

/** A relationship of `chunkId`, in either direction, with `neighbourId`. */
export interface Neighbour {
  chunkId: string
  neighbourId: string
  type: string
  /** 0..1 for relationships that a model or the local method found; null for others. */
  confidence: number | null
}

export type NeighbourStore = ReturnType<typeof createNeighbourStore>

export function createNeighbourStore(db: Db) {
  /** Stored relationships that begin (`isSource`) or end at one of the chunks. */
  async function from(chatId: string, chunkIds: readonly string[], isSource: boolean): Promise<Neighbour[]> {
    const [own, other] = isSource
      ? (['source_id', 'target_id'] as const)
      : (['target_id', 'source_id'] as const)
    const rows = await db.read
      .selectFrom('relationships')
      .select([`${own} as own`, `${other} as other`, 'type', 'properties'])
      .where('chat_id', '=', chatId)
      .where(own, 'in', chunkIds)
      .execute()
    const found: Neighbour[] = []
    const pace = createPacer()
    for (const row of rows) {
      const { confidence } = parseStoredJson(row.properties) as { confidence?: unknown }
      found.push({
        chunkId: row.own,
        neighbourId: row.other,
        type: row.type,
        confidence: typeof confidence === 'number' ? confidence : null,
      })
      await pace()
    }
    return found
  }

  /** The chunks directly before and after each chunk in its document; their NEXT relationship is not stored. */
  async function alongText(chatId: string, chunkIds: readonly string[]): Promise<Neighbour[]> {
    const rows = await db.read
      .selectFrom('chunks as own')
      .innerJoin('chunks as other', (join) =>
        join
          .onRef('other.chat_id', '=', 'own.chat_id')
          .onRef('other.file_id', '=', 'own.file_id')
          .on((eb) =>
            eb('other.chunk_order', 'in', [eb('own.chunk_order', '-', 1), eb('own.chunk_order', '+', 1)]),
          ),
      )
      .select(['own.chunk_id as own', 'other.chunk_id as other'])
      .where('own.chat_id', '=', chatId)
      .where('own.chunk_id', 'in', chunkIds)
      .execute()
    return rows.map(({ own, other }) => ({
      chunkId: own,
      neighbourId: other,
      type: 'NEXT',
      confidence: null,
    }))
  }

  return {
    /** The neighbours of chunks in the graph, in both directions. */
    async neighbours(chatId: string, chunkIds: readonly string[]): Promise<Neighbour[]> {
      const found = await Promise.all([
        alongText(chatId, chunkIds),
        from(chatId, chunkIds, true),
        from(chatId, chunkIds, false),
      ])
      return found.flat()
    },
  }
}
