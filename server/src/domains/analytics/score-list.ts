import { CairnError, type ListedScore, type ListScoresQuery, limits } from '@cairn/contract'
import { type Page, type Paged, type Position, parseCursor, toPage } from '../../lib/cursor.ts'
import type { Scan, Scans } from '../../lib/scans.ts'
import { storable } from '../../lib/storable.ts'
import { type ScoreRow, toStoredScore } from '../scores/index.ts'
import { isFiltering, parseTraceFilters, type TraceConditions } from '../traces/index.ts'
import type { ScoreConditions, ScoreListStore } from './store-scores.ts'

const positionOf = ({ created_at, score_id }: ScoreRow): Position => ({ ms: created_at, id: score_id })

/** Lists the scores of all traces of a project. */
export class ScoreList {
  readonly #store: ScoreListStore
  readonly #scans: Scans

  constructor(store: ScoreListStore, scans: Scans) {
    this.#store = store
    this.#scans = scans
  }

  /** A page, newest first, and the cursor of the next page if there is one. */
  async page(projectId: string, query: ListScoresQuery, signal?: AbortSignal): Promise<Paged<ListedScore>> {
    // The name of the score; scores cannot be filtered by the name of their trace.
    const { name, ...others } = query
    const { source, scorer, source_id, min_value, max_value } = others
    if (min_value !== undefined && max_value !== undefined && min_value > max_value) {
      throw new CairnError('invalid_request', 'min_value must not be above max_value')
    }
    const { startMs, endMs, ...ofTraces } = parseTraceFilters(others)
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
    const traceFilter = isFiltering(ofTraces) ? ofTraces : undefined
    const found =
      traceFilter || !hasIndex(conditions)
        ? await this.#scan(
            this.#scans.begin([projectId], { signal }),
            projectId,
            conditions,
            traceFilter,
            wanted,
          )
        : await this.#store.list(projectId, conditions, wanted)
    const { page, next } = toPage(found, limit, positionOf)
    return { page: page.map((row) => ({ trace_id: row.trace_id, ...toStoredScore(row) })), next }
  }

  async #scan(
    scan: Scan,
    projectId: string,
    conditions: ScoreConditions,
    ofTraces: TraceConditions | undefined,
    page: Page,
  ): Promise<ScoreRow[]> {
    const { startMs, endMs, name } = conditions
    const found: ScoreRow[] = []
    await scan.eachSlice<Position>({
      after: page.after,
      boundary: (after, rows) => this.#store.boundary(projectId, { startMs, endMs, name }, after, rows),
      read: async (after, upTo) => {
        const slice = { limit: page.limit - found.length, after, upTo, ofTraces }
        found.push(...(await this.#store.scannedList(projectId, conditions, slice)))
        return found.length >= page.limit
      },
    })
    return found
  }
}

/** Whether an index finds exactly these scores, so that no scan is needed. */
function hasIndex({ source, scorer, sourceId, minValue, maxValue }: ScoreConditions): boolean {
  return [source, scorer, sourceId, minValue, maxValue].every((value) => value === undefined)
}
