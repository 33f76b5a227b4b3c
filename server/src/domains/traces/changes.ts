import {
  CairnError,
  type DeletedTraces,
  limits,
  type RepricedTraces,
  type RepriceTraces,
  type TraceFilters,
} from '@cairn/contract'
import type { Scans } from '../../lib/scans.ts'
import type { Pricing } from '../prices/index.ts'
import { isFiltering, parseTraceFilters } from './filters.ts'
import { findPositions } from './scan.ts'
import type { IdempotencyStore, TraceConditions, TracePosition } from './store/index.ts'
import type { TraceStore } from './store.ts'

export interface TraceChangesOptions {
  store: TraceStore
  idempotency: IdempotencyStore
  projectExists: (projectId: string) => Promise<boolean>
  /** Prices of a project at this moment. */
  pricing: (projectId: string) => Promise<Pricing>
  /** For filters that no index answers. */
  scans: Scans
}

/** Traces that one transaction deletes or prices again: others get their turn in between. */
const changeStep = 500

/** Deletes stored traces and computes their costs again, few at a time. */
export class TraceChanges {
  readonly #options: TraceChangesOptions

  constructor(options: TraceChangesOptions) {
    this.#options = options
  }

  /** Deletes a trace with its scores; done when it resolves. */
  async delete(projectId: string, traceId: string): Promise<DeletedTraces> {
    const deleted = await this.#options.store.delete(projectId, [traceId])
    if (deleted === 0) throw new CairnError('not_found', 'trace not found')
    return { success: true, deleted }
  }

  /** Deletes every trace that meets the filters, of which there has to be one. */
  async deleteMatching(projectId: string, query: TraceFilters): Promise<DeletedTraces> {
    const conditions = parseTraceFilters(query)
    if (!isFiltering(conditions)) {
      throw new CairnError('invalid_request', 'name at least one filter, such as end_date, tag or status')
    }
    return { success: true, deleted: await this.#deleteAll(projectId, conditions) }
  }

  /** Deletes the traces of a project that are older than a time; answers how many. */
  deleteOlder(projectId: string, beforeMs: number): Promise<number> {
    return this.#deleteAll(projectId, { endMs: beforeMs })
  }

  /** Forgets the idempotency keys whose time is over. */
  forgetKeys(projectId: string): Promise<void> {
    return this.#options.idempotency.forget(projectId, Date.now() - limits.idempotencyMs)
  }

  /**
   * Computes the costs of traces again that did not come from the client, newest first. The totals are over all
   * traces that were examined. `not_found` when there is no such project.
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

  /** Ids of all traces that meet the conditions, a few at a time. */
  async *#steps(projectId: string, conditions: TraceConditions): AsyncGenerator<string[]> {
    let after: TracePosition | undefined
    do {
      // The time of each step counts by itself; only the first one can be refused.
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
