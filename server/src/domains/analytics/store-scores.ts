import type { ScoreSource } from '@cairn/contract'
import { type SqlBool, sql } from 'kysely'
import { type Db, newestFirst, perRow, type Tables } from '../../db/index.ts'
import type { Page, Position } from '../../lib/cursor.ts'
import { type TraceConditions, whereTraces } from '../traces/index.ts'

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

const place = ['scores.created_at', 'scores.score_id'] as const

export type ScoreListStore = ReturnType<typeof createScoreListStore>

export interface ScoreSlice extends Page {
  /** The position of the last score of the slice. */
  upTo: Position | undefined
  /** Conditions on the trace of a score. */
  ofTraces: TraceConditions | undefined
}

export function createScoreListStore(db: Db) {
  function scoresOf(read: Db['read'], projectId: string, conditions: ScoreConditions) {
    let query = read.selectFrom('scores').where('scores.project_id', '=', projectId)
    for (const [column, comparison, field] of bounds) {
      const bound = conditions[field]
      if (bound !== undefined) query = query.where(`scores.${column}`, comparison, bound)
    }
    return query
  }

  return {
    /** Newest first; `after` is the last score of the previous page. Needs an index for the conditions. */
    list(projectId: string, conditions: ScoreConditions, page: Page): Promise<Tables['scores'][]> {
      const query = scoresOf(db.read, projectId, conditions).selectAll()
      return newestFirst(query, place, page).execute()
    },

    /** The same for conditions without an index: reads one slice of a scan. */
    scannedList(
      projectId: string,
      conditions: ScoreConditions,
      { upTo, ofTraces, ...page }: ScoreSlice,
    ): Promise<Tables['scores'][]> {
      let query = scoresOf(db.scans, projectId, conditions).selectAll('scores')
      if (upTo) {
        query = query.where(
          sql<SqlBool>`(${sql.ref(place[0])}, ${sql.ref(place[1])}) >= (${upTo.ms}, ${upTo.id})`,
        )
      }
      if (ofTraces) query = query.where(({ exists }) => exists(traceOfScore(db, projectId, ofTraces)))
      return newestFirst(query, place, page).execute()
    },

    /** The position of the last of this many scores; undefined if there are fewer. Needs an index for the conditions. */
    boundary(
      projectId: string,
      conditions: ScoreConditions,
      after: Position | undefined,
      rows: number,
    ): Promise<Position | undefined> {
      const query = scoresOf(db.scans, projectId, conditions).select([
        'scores.created_at as ms',
        'scores.score_id as id',
      ])
      return newestFirst(query, place, { limit: 1, after })
        .offset(rows - 1)
        .executeTakeFirst()
    },
  }
}

/** The trace of a score of the outer query, if it meets the conditions. */
export function traceOfScore(
  { scans, dialect }: Pick<Db, 'scans' | 'dialect'>,
  projectId: string,
  conditions: TraceConditions,
) {
  const traces = whereTraces(dialect, scans.selectFrom('traces'), projectId, conditions)
  return perRow(traces.select('traces.trace_id').whereRef('traces.trace_id', '=', sql.ref('scores.trace_id')))
}
