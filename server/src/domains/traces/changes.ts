import {
  CairnError,
  type DeletedTraces,
  limits,
  type RepricedTraces,
  type RepriceTraces,
  type TaggedTraces,
  type TagTraces,
  type TraceFilters,
} from '@cairn/contract'
import type { Scans } from '../../lib/scans.ts'
import { storable } from '../../lib/storable.ts'
import type { Pricing } from '../prices/index.ts'
import { isFiltering, parseTraceFilters } from './filters.ts'
import { findPositions } from './scan.ts'
import type { IdempotencyStore, TraceConditions, TracePosition } from './store/index.ts'
import type { TraceStore } from './store.ts'

export interface TraceChangesOptions {
  store: TraceStore
  idempotency: IdempotencyStore
  projectExists: (projectId: string) => Promise<boolean>
  /** Loads the current prices of a project. */
  pricing: (projectId: string) => Promise<Pricing>
  /** For filters without an index. */
  scans: Scans
}

/** Number of traces per step. Other requests get their turns between steps. */
const changeStep = 500

/** Deletes and tags stored traces and computes their costs again, in steps. */
export class TraceChanges {
  readonly #options: TraceChangesOptions

  constructor(options: TraceChangesOptions) {
    this.#options = options
  }

  /**
   * Deletes a trace with its scores. The deletion is durable when it resolves.
   * @throws `not_found`
   */
  async delete(projectId: string, traceId: string): Promise<DeletedTraces> {
    const deleted = await this.#options.store.delete(projectId, [traceId])
    if (deleted === 0) throw new CairnError('not_found', 'trace not found')
    return { success: true, deleted }
  }

  /**
   * Changes the tags of the existing traces.
   * @throws `invalid_request` if a trace would have too many tags
   */
  async tag(projectId: string, { trace_ids, add, remove }: TagTraces): Promise<TaggedTraces> {
    const change = { add: (add ?? []).map(storable), remove: (remove ?? []).map(storable) }
    if (change.add.length + change.remove.length === 0) {
      throw new CairnError('invalid_request', 'add or remove must contain a tag')
    }
    const ids = [...new Set(trace_ids.map(storable))]
    const changed = await this.#options.store.tag(projectId, ids, change)
    if (changed === 'too_many') {
      throw new CairnError('invalid_request', `a trace can have at most ${limits.tagsPerTrace} tags`)
    }
    return { changed }
  }

  /**
   * Deletes all traces that match the filters.
   * @throws `invalid_request` without a filter, so that a forgotten filter does not delete everything
   */
  async deleteMatching(projectId: string, query: TraceFilters): Promise<DeletedTraces> {
    const conditions = parseTraceFilters(query)
    if (!isFiltering(conditions)) {
      throw new CairnError(
        'invalid_request',
        'at least one filter is required, such as end_date, tag or status',
      )
    }
    return { success: true, deleted: await this.#deleteAll(projectId, conditions) }
  }

  /** Deletes the traces of a project from before a time (epoch ms); returns their number. */
  deleteOlder(projectId: string, beforeMs: number): Promise<number> {
    return this.#deleteAll(projectId, { endMs: beforeMs })
  }

  /** Deletes expired idempotency keys. */
  deleteExpiredKeys(projectId: string): Promise<void> {
    return this.#options.idempotency.deleteOlder(projectId, Date.now() - limits.idempotencyMs)
  }

  /**
   * Computes again all costs that the client has not sent, newest traces first. Returns the numbers and total costs of all
   * examined traces.
   * @throws `not_found` for an unknown project
   */
  async reprice(
    projectId: string,
    { start_date, end_date, model }: RepriceTraces,
    onProgress: (sum: RepricedTraces) => void = () => {},
  ): Promise<RepricedTraces> {
    if (!(await this.#options.projectExists(projectId))) {
      throw new CairnError('not_found', 'project not found')
    }
    const conditions = parseTraceFilters({
      ...(start_date != null && { start_date }),
      ...(end_date != null && { end_date }),
      ...(model != null && { model }),
    })
    const pricing = await this.#options.pricing(projectId)
    const sum: RepricedTraces = { examined: 0, changed: 0, total_before: 0, total_after: 0 }
    for await (const ids of this.#steps(projectId, conditions)) {
      const step = await this.#options.store.reprice(projectId, ids, pricing)
      sum.examined += step.examined
      sum.changed += step.changed
      sum.total_before += step.before
      sum.total_after += step.after
      onProgress(sum)
    }
    return sum
  }

  async #deleteAll(projectId: string, conditions: TraceConditions): Promise<number> {
    let deleted = 0
    for await (const ids of this.#steps(projectId, conditions)) {
      deleted += await this.#options.store.delete(projectId, ids)
    }
    return deleted
  }

  /** Yields the ids of all traces that match the conditions, in steps. */
  async *#steps(projectId: string, conditions: TraceConditions): AsyncGenerator<string[]> {
    let after: TracePosition | undefined
    do {
      // Each step has its own time limit. Only the first step can be rejected.
      const options = { isLetIn: after !== undefined }
      const scan = this.#options.scans.begin([projectId], options)
      const found = await findPositions(this.#options.store, scan, projectId, conditions, {
        limit: changeStep,
        after,
      })
      if (found.length > 0) yield found.map(({ traceId }) => traceId)
      after = found.length < changeStep ? undefined : found.at(-1)
    } while (after)
  }
}
