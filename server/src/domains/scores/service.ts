import {
  CairnError,
  type CreatedScore,
  type CreateScore,
  type Deleted,
  type StoredScore,
} from '@cairn/contract'
import { isForeignKeyViolation } from '../../lib/database-error.ts'
import { newId } from '../../lib/ids.ts'
import { storable, storableOrNull } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import type { ScoreRow, ScoreStore } from './store.ts'

export function toScoreRow(
  trace: { projectId: string; traceId: string },
  { name, value, comment }: CreateScore,
  createdMs = Date.now(),
): ScoreRow {
  return {
    project_id: trace.projectId,
    trace_id: trace.traceId,
    score_id: newId('scr_'),
    name: storable(name.trim()),
    value,
    comment: storableOrNull(comment),
    created_at: createdMs,
    cost: null,
  }
}

export class ScoreService {
  readonly #store: ScoreStore

  constructor(store: ScoreStore) {
    this.#store = store
  }

  /** `cost` is what a judge's calls to a model came to, in USD. */
  async create(
    projectId: string,
    traceId: string,
    request: CreateScore,
    cost: number | null = null,
  ): Promise<CreatedScore> {
    try {
      await this.#store.insert({ ...toScoreRow({ projectId, traceId }, request), cost })
    } catch (error) {
      if (isForeignKeyViolation(error)) throw new CairnError('not_found', 'trace not found')
      throw error
    }
    return { success: true }
  }

  /** The scores of a trace, newest first; `not_found` when there is no such trace. */
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
    return rows.map(({ score_id, name, value, comment, created_at, cost }) => ({
      score_id,
      name,
      value,
      comment,
      created_at: toIso(created_at),
      ...(cost !== null && { cost }),
    }))
  }
}
