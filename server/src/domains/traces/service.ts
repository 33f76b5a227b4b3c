import {
  CairnError,
  type CreatedTrace,
  type CreatedTraceBatch,
  type CreateTrace,
  type ListTracesQuery,
  limits,
  type StoredScore,
  type Trace,
  type TraceBatchItem,
  type TraceSummary,
} from '@cairn/contract'
import { isForeignKeyViolation, isUnavailable } from '../../lib/database-error.ts'
import { GroupCommit } from '../../lib/group-commit.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { parseTraceFilters } from './filters.ts'
import { decodeRecord, toRecord } from './record.ts'
import type { NewTrace, TraceStore } from './store.ts'

/** Where the scores of a trace come from; the scores domain provides it. */
export interface ScoreReader {
  listForTrace(projectId: string, traceId: string): Promise<StoredScore[]>
}

export interface TraceServiceOptions {
  store: TraceStore
  scores: ScoreReader
  checkTrace: (value: unknown) => CreateTrace
  maxQueuedTraces: number
  maxQueuedBytes: number
}

const maxGroup = { rows: 2000, bytes: 16 * 1024 * 1024 }
/** What a queued trace holds in memory beside its body. */
const overheadBytes = 500

function toSummary(body: Uint8Array): TraceSummary {
  const { trace_id, input, output, model, latency_ms, status, tags, token_usage, cost, created_at } =
    decodeRecord(body)
  return { trace_id, input, output, model, latency_ms, status, tags, token_usage, cost, created_at }
}

export class TraceService {
  readonly #store: TraceStore
  readonly #scores: ScoreReader
  readonly #checkTrace: (value: unknown) => CreateTrace
  readonly #queue: GroupCommit<NewTrace[]>

  constructor(options: TraceServiceOptions) {
    this.#store = options.store
    this.#scores = options.scores
    this.#checkTrace = options.checkTrace
    this.#queue = new GroupCommit({
      flush: (groups) => this.#store.insert(groups.flat()),
      maxWaiting: { rows: options.maxQueuedTraces, bytes: options.maxQueuedBytes },
      maxGroup,
      isShared: isUnavailable,
      refusal: () =>
        new CairnError('overloaded', 'the write queue is full; try again shortly', { retryAfter: 1 }),
    })
  }

  /** Resolves when the trace is durable and readable. */
  async create(projectId: string, request: CreateTrace): Promise<CreatedTrace> {
    const trace = this.#store.prepare(projectId, toRecord(request))
    await this.#write([trace])
    return { trace_id: trace.record.trace_id, status: 'created' }
  }

  /** Each item is checked by itself; the good ones are written in one transaction. */
  async createBatch(projectId: string, items: readonly unknown[]): Promise<CreatedTraceBatch> {
    const good: NewTrace[] = []
    const results = items.map((item, index): TraceBatchItem => {
      try {
        const trace = this.#store.prepare(projectId, toRecord(this.#checkTrace(item)))
        good.push(trace)
        return { index, trace_id: trace.record.trace_id, status: 'created' }
      } catch (error) {
        if (error instanceof CairnError) return { index, error: error.message }
        throw error
      }
    })
    const [first] = results
    if (good.length === 0 && first && 'error' in first) {
      throw new CairnError('invalid_request', `none of the traces can be stored; traces[0]: ${first.error}`)
    }
    await this.#write(good)
    return { results, created: good.length, failed: items.length - good.length }
  }

  /** A page of summaries, newest first, and the cursor of the next page when there is one. */
  async list(
    projectId: string,
    query: ListTracesQuery,
  ): Promise<{ page: TraceSummary[]; next: string | undefined }> {
    const limit = query.limit ?? limits.listDefault
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
    // One row more than asked tells whether there is a next page.
    const rows = await this.#store.list(projectId, parseTraceFilters(query), { limit: limit + 1, after })
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const next =
      rows.length > limit && last
        ? encodeCursor({ createdMs: last.created_at, traceId: last.trace_id })
        : undefined
    return { page: page.map((row) => toSummary(row.body)), next }
  }

  async get(projectId: string, traceId: string): Promise<Trace> {
    const body = await this.#store.findBody(projectId, traceId)
    if (!body) throw new CairnError('not_found', 'trace not found')
    return { ...decodeRecord(body), scores: await this.#scores.listForTrace(projectId, traceId) }
  }

  /** Resolves when every trace that was accepted is written. */
  drain(): Promise<void> {
    return this.#queue.drain()
  }

  async #write(traces: NewTrace[]): Promise<void> {
    const bytes = traces.reduce((sum, trace) => sum + trace.body.length + overheadBytes, 0)
    try {
      await this.#queue.add(traces, { rows: traces.length, bytes })
    } catch (error) {
      // The key was good a moment ago, so the project went away in between.
      if (isForeignKeyViolation(error)) throw new CairnError('not_found', 'project not found')
      throw error
    }
  }
}
