import {
  CairnError,
  type CreatedScore,
  type CreateScore,
  type Deleted,
  limits,
  type ScoreSource,
  type StoredScore,
} from '@cairn/contract'
import { newId } from '../../lib/ids.ts'
import { storable, storableOrNull } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import type { ScoreRow, ScoreStore } from './store.ts'

/** The origin of a score. */
export interface ScoreOrigin {
  source: ScoreSource
  /** The batch or the rule. */
  sourceId?: string
  /** The slug. */
  scorer?: string
  method?: 'model' | 'local'
  model?: string | null
  /** Cost of the scorer's calls to a model, in USD. */
  cost?: number | null
}

export function toScoreRow(
  trace: { projectId: string; traceId: string },
  { name, value, comment, span_id }: CreateScore,
  createdMs = Date.now(),
  origin: ScoreOrigin = { source: 'human' },
): ScoreRow {
  return {
    project_id: trace.projectId,
    trace_id: trace.traceId,
    score_id: newId('scr_'),
    name: storable(name.trim()),
    value,
    // Models and evaluations can write longer ones.
    comment: storableOrNull(comment?.slice(0, limits.scoreCommentLength)),
    span_id: storableOrNull(span_id),
    created_at: createdMs,
    cost: origin.cost ?? null,
    source: origin.source,
    source_id: origin.sourceId ?? null,
    scorer: origin.scorer ?? null,
    method: origin.method ?? null,
    model: storableOrNull(origin.model),
  }
}

/** A score as the API returns it. Unknown values have no field. */
export function toStoredScore(row: Omit<ScoreRow, 'project_id' | 'trace_id'>): StoredScore {
  const { score_id, name, value, comment, span_id, created_at, cost, source, source_id, scorer } = row
  const { method, model } = row
  return {
    score_id,
    name,
    value,
    comment,
    ...(span_id !== null && { span_id }),
    created_at: toIso(created_at),
    ...(cost !== null && { cost }),
    ...(source !== null && { source: source as ScoreSource }),
    ...(source_id !== null && { source_id }),
    ...(scorer !== null && { scorer }),
    ...(method !== null && { method: method as 'model' | 'local' }),
    ...(model !== null && { model }),
  }
}

export class ScoreService {
  readonly #store: ScoreStore

  constructor(store: ScoreStore) {
    this.#store = store
  }

  async create(
    projectId: string,
    traceId: string,
    request: CreateScore,
    origin?: ScoreOrigin,
  ): Promise<CreatedScore> {
    if ((await this.#store.count(projectId, traceId)) >= limits.scoresPerTrace) {
      throw new CairnError('conflict', `a trace has at most ${limits.scoresPerTrace} scores; delete some`)
    }
    const row = toScoreRow({ projectId, traceId }, request, Date.now(), origin)
    if ((await this.#store.insert(row)) === 'no_trace') throw new CairnError('not_found', 'trace not found')
    return { success: true }
  }

  /** The scores of a trace, newest first; `not_found` if the trace does not exist. */
  async list(projectId: string, traceId: string): Promise<StoredScore[]> {
    const scores = await this.listForTrace(projectId, traceId)
    if (scores.length === 0 && !(await this.#store.traceExists(projectId, traceId))) {
      throw new CairnError('not_found', 'trace not found')
    }
    return scores
  }

  async delete(projectId: string, traceId: string, scoreId: string): Promise<Deleted> {
    if (!(await this.#store.delete(projectId, traceId, scoreId))) {
      const traceExists = await this.#store.traceExists(projectId, traceId)
      throw new CairnError('not_found', traceExists ? 'score not found' : 'trace not found')
    }
    return { success: true, message: 'score deleted' }
  }

  async listForTrace(projectId: string, traceId: string): Promise<StoredScore[]> {
    const rows = await this.#store.listForTrace(projectId, traceId)
    return rows.map(toStoredScore)
  }

  /** The newest score of each name, by trace. Traces without scores are omitted. */
  async newestForTraces(
    projectId: string,
    traceIds: readonly string[],
  ): Promise<Map<string, { name: string; value: number }[]>> {
    if (traceIds.length === 0) return new Map()
    const byTrace = new Map<string, Map<string, number>>()
    for (const { trace_id, name, value } of await this.#store.listForTraces(projectId, traceIds)) {
      const values = byTrace.get(trace_id) ?? new Map<string, number>()
      byTrace.set(trace_id, values.set(name, value))
    }
    const named = (values: Map<string, number>) => [...values].map(([name, value]) => ({ name, value }))
    return new Map([...byTrace].map(([traceId, values]) => [traceId, named(values)]))
  }

  /** The given traces that have a score by this scorer. */
  scoredBy(projectId: string, scorer: string, traceIds: readonly string[]): Promise<Set<string>> {
    return this.#store.scoredBy(projectId, scorer, traceIds)
  }
}
