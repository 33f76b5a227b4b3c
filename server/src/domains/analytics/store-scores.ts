import type { ScoreSource } from '@cairn/contract'
import { type Db, newestFirst, type Tables } from '../../db/index.ts'
import type { Page } from '../../lib/cursor.ts'

/** Times are epoch milliseconds, start inclusive, end exclusive; values are inclusive. */
export interface ScoreConditions {
  startMs?: number | undefined
  endMs?: number | undefined
  name?: string | undefined
  source?: ScoreSource | undefined
  scorer?: string | undefined
  sourceId?: string | undefined
  minValue?: number | undefined
  maxValue?: number | undefined
}

const bounds = [
  ['created_at', '>=', 'startMs'],
  ['created_at', '<', 'endMs'],
  ['name', '=', 'name'],
  ['source', '=', 'source'],
  ['scorer', '=', 'scorer'],
  ['source_id', '=', 'sourceId'],
  ['value', '>=', 'minValue'],
  ['value', '<=', 'maxValue'],
] as const

export type ScoreListStore = ReturnType<typeof createScoreListStore>

export function createScoreListStore(db: Db) {
  return {
    /** Newest first; `after` is the last one of the page before. */
    list(projectId: string, conditions: ScoreConditions, page: Page): Promise<Tables['scores'][]> {
      let query = db.read.selectFrom('scores').selectAll().where('project_id', '=', projectId)
      for (const [column, comparison, field] of bounds) {
        const bound = conditions[field]
        if (bound !== undefined) query = query.where(column, comparison, bound)
      }
      return newestFirst(query, ['created_at', 'score_id'], page).execute()
    },
  }
}
