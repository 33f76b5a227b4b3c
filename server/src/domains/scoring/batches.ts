import {
  CairnError,
  type ListScoringsQuery,
  limits,
  type PageQuery,
  type RunScorer,
  type Scoring,
  type ScoringFailure,
  type ScoringState,
} from '@cairn/contract'
import { type Paged, parseCursor, toPage } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'
import { storable } from '../../lib/storable.ts'
import { toIso, toIsoOrNull } from '../../lib/time.ts'
import type { ScoringService } from '../scorers/index.ts'
import { parseTraceCursor } from '../traces/index.ts'
import { storedFilter, toFilter } from './filter.ts'
import type { BatchStore, ScoringRow } from './store-batches.ts'

/** Batches: a scorer scores stored traces in the background. In the API, a batch is a `Scoring`. */
export class BatchService {
  readonly #store: BatchStore
  readonly #scoring: Pick<ScoringService, 'open'>
  readonly #wake: () => void

  /** `wake` starts queued batches at once. */
  constructor(store: BatchStore, scoring: Pick<ScoringService, 'open'>, wake: () => void) {
    this.#store = store
    this.#scoring = scoring
    this.#wake = wake
  }

  /**
   * Starts a batch. Durable when it resolves.
   * @throws `not_found` for an unknown scorer
   */
  async start(projectId: string, slug: string, request: RunScorer): Promise<Scoring> {
    const row = toRow(projectId, slug, request)
    // Only checks that the scorer can be used; the job opens it again.
    await this.#scoring.open(projectId, slug)
    if ((await this.#store.insert(row)) === 'no_project') {
      throw new CairnError('not_found', 'project not found')
    }
    this.#wake()
    return toScoring(row)
  }

  /** Newest first. */
  async list(projectId: string, query: ListScoringsQuery): Promise<Paged<Scoring>> {
    const { limit = limits.listDefault, cursor } = query
    const after = parseCursor(cursor, 'scg_')
    const wanted = {
      scorer: query.scorer === undefined ? undefined : storable(query.scorer),
      state: query.state,
    }
    const rows = await this.#store.list(projectId, wanted, { limit: limit + 1, after })
    const { page, next } = toPage(rows, limit, (row) => ({ ms: row.created_at, id: row.scoring_id }))
    return { page: page.map(toScoring), next }
  }

  async get(projectId: string, scoringId: string): Promise<Scoring> {
    const row = await this.#store.find(projectId, scoringId)
    if (!row) throw new CairnError('not_found', 'scoring not found')
    return toScoring(row)
  }

  /** Traces without a score because the scorer failed, newest first. */
  async failures(projectId: string, scoringId: string, query: PageQuery): Promise<Paged<ScoringFailure>> {
    const { limit = limits.listDefault, cursor } = query
    const last = parseTraceCursor(cursor)
    const after = last && { ms: last.createdMs, id: last.traceId }
    await this.get(projectId, scoringId)
    const rows = await this.#store.failures(projectId, scoringId, { limit: limit + 1, after })
    const { page, next } = toPage(rows, limit, (row) => ({ ms: row.failed_at, id: row.trace_id }))
    const shown = page.map(({ trace_id, reason, failed_at }) => ({
      trace_id,
      reason,
      failed_at: toIso(failed_at),
    }))
    return { page: shown, next }
  }

  /** Ends a running batch. After this resolves, no further score is stored. A batch that has ended does not change. */
  async cancel(projectId: string, scoringId: string): Promise<Scoring> {
    await this.#store.end({ project_id: projectId, scoring_id: scoringId }, 'cancelled')
    return this.get(projectId, scoringId)
  }
}

function toRow(projectId: string, scorer: string, request: RunScorer): ScoringRow {
  const now = Date.now()
  return {
    project_id: projectId,
    scoring_id: newId('scg_', now),
    scorer,
    filter: JSON.stringify(toFilter(request.filter)),
    sample_rate: request.sample_rate ?? 1,
    max_traces: request.limit ?? null,
    overwrite: request.overwrite ? 1 : 0,
    state: 'running',
    step: 0,
    after_ms: null,
    after_id: null,
    total: null,
    done: 0,
    failed: 0,
    already_scored: 0,
    no_expected_output: 0,
    deleted: 0,
    score_sum: 0,
    cost: 0,
    error: null,
    created_at: now,
    completed_at: null,
  }
}

function toScoring(row: ScoringRow): Scoring {
  const { already_scored, no_expected_output, deleted, done, completed_at } = row
  return {
    scoring_id: row.scoring_id,
    scorer: row.scorer,
    state: row.state as ScoringState,
    filter: storedFilter(row.filter),
    sample_rate: row.sample_rate,
    limit: row.max_traces,
    overwrite: row.overwrite === 1,
    total: row.total,
    done,
    failed: row.failed,
    skipped: already_scored + no_expected_output + deleted,
    skipped_reasons: { already_scored, no_expected_output, deleted },
    mean_score: done === 0 ? null : row.score_sum / done,
    cost: row.cost,
    error: row.error,
    created_at: toIso(row.created_at),
    completed_at: toIsoOrNull(completed_at),
  }
}
