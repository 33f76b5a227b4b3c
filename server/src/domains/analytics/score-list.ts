import { CairnError, type ListedScore, type ListScoresQuery, limits } from '@cairn/contract'
import { type Page, type Paged, type Position, parseCursor, toPage } from '../../lib/cursor.ts'
import { storable } from '../../lib/storable.ts'
import { Deadline } from '../rollups/index.ts'
import { type ScoreRow, toStoredScore } from '../scores/index.ts'
import { isFiltering, parseTraceFilters, type TraceConditions, type TraceService } from '../traces/index.ts'
import type { ScoreConditions, ScoreListStore } from './store-scores.ts'

/** Scores that are looked at in one step, for filters of their traces. */
const step = 1000

const positionOf = ({ created_at, score_id }: ScoreRow): Position => ({ ms: created_at, id: score_id })

/** Lists scores over the traces of a project. */
export class ScoreList {
  readonly #store: ScoreListStore
  readonly #traces: Pick<TraceService, 'meeting'>
  readonly #scanMs: number

  /** `scanMs` limits how long a page looks for scores whose traces meet filters. */
  constructor(store: ScoreListStore, traces: Pick<TraceService, 'meeting'>, scanMs: number) {
    this.#store = store
    this.#traces = traces
    this.#scanMs = scanMs
  }

  /** Newest first, and the cursor of the next page when there is one. */
  async page(projectId: string, query: ListScoresQuery): Promise<Paged<ListedScore>> {
    const { name, source, scorer, source_id, min_value, max_value } = query
    if (min_value !== undefined && max_value !== undefined && min_value > max_value) {
      throw new CairnError('invalid_request', 'min_value must not be above max_value')
    }
    const { startMs, endMs, ...ofTraces } = parseTraceFilters(query)
    const conditions: ScoreConditions = {
      startMs,
      endMs,
      name: name === undefined ? undefined : storable(name),
      source,
      scorer,
      sourceId: source_id,
      minValue: min_value,
      maxValue: max_value,
    }
    const limit = query.limit ?? limits.listDefault
    const wanted: Page = { limit: limit + 1, after: parseCursor(query.cursor, 'scr_') }
    const found = isFiltering(ofTraces)
      ? await this.#scan(projectId, conditions, ofTraces, wanted)
      : await this.#store.list(projectId, conditions, wanted)
    const { page, next } = toPage(found, limit, positionOf)
    return { page: page.map((row) => ({ trace_id: row.trace_id, ...toStoredScore(row) })), next }
  }

  async #scan(
    projectId: string,
    conditions: ScoreConditions,
    ofTraces: TraceConditions,
    { limit, after }: Page,
  ): Promise<ScoreRow[]> {
    const deadline = new Deadline(this.#scanMs)
    const found: ScoreRow[] = []
    for (let last = after; ; ) {
      deadline.check()
      const rows = await this.#store.list(projectId, conditions, { limit: step, after: last })
      const ids = [...new Set(rows.map(({ trace_id }) => trace_id))]
      const meeting = new Set(await this.#traces.meeting(projectId, ofTraces, ids))
      found.push(...rows.filter(({ trace_id }) => meeting.has(trace_id)))
      const end = rows.at(-1)
      if (found.length >= limit || rows.length < step || !end) return found.slice(0, limit)
      last = positionOf(end)
    }
  }
}
