import {
  CairnError,
  type ListSessionsQuery,
  limits,
  type Session,
  type SessionQuery,
  type SessionView,
  type TraceSummary,
} from '@cairn/contract'
import type { Paged } from '../../lib/cursor.ts'
import { indexable } from '../../lib/indexable.ts'
import { toIso } from '../../lib/time.ts'
import { Deadline, planSlices, type RollupStore } from '../rollups/index.ts'
import { parseTraceCursor, parseTraceFilters, toTracePage } from '../traces/index.ts'
import type { Page, SessionPlace, SessionStore, SessionSums } from './store.ts'

export interface SessionDependencies {
  store: SessionStore
  rollups: RollupStore
  traces: { summaries(projectId: string, ids: readonly string[]): Promise<TraceSummary[]> }
  /** For filters that few sessions meet. */
  scanMs: number
}

function toSession(sums: SessionSums, userId: string | null): Session {
  return {
    session_id: sums.session_id,
    user_id: userId,
    trace_count: sums.trace_count,
    error_count: sums.error_count,
    total_cost: sums.total_cost ?? 0,
    total_tokens: sums.total_tokens ?? 0,
    avg_latency_ms: sums.avg_latency_ms ?? 0,
    first_trace_at: toIso(sums.first_at),
    last_trace_at: toIso(sums.last_at),
  }
}

function parsePage({ limit = limits.listDefault, cursor }: SessionQuery): Page {
  return { limit, after: parseTraceCursor(cursor) }
}

/** Sessions: traces that name the same one. */
export class SessionService {
  readonly #dependencies: SessionDependencies

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies
  }

  /** Sessions by their newest trace, newest first. */
  async list(projectId: string, query: ListSessionsQuery): Promise<Paged<Session>> {
    const { limit, after } = parsePage(query)
    const found = await this.#find(projectId, query, { limit: limit + 1, after })
    const { page, next } = toTracePage(found, limit)
    const { store } = this.#dependencies
    const ids = page.map(({ sessionId }) => sessionId)
    const [sums, users] = await Promise.all([store.sums(projectId, ids), store.users(projectId, ids)])
    const byId = new Map(sums.map((row) => [row.session_id, row]))
    const sessions = page.flatMap(({ sessionId }) => {
      const row = byId.get(sessionId)
      return row ? [toSession(row, users.get(sessionId) ?? null)] : []
    })
    return { page: sessions, next }
  }

  /** A session with a page of its traces, oldest first. */
  async get(
    projectId: string,
    id: string,
    query: SessionQuery,
  ): Promise<{ view: SessionView; next: string | undefined }> {
    const { store, traces } = this.#dependencies
    const sessionId = indexable(id)
    const [sums] = await store.sums(projectId, [sessionId])
    if (!sums) throw new CairnError('not_found', 'session not found')
    const { limit, after } = parsePage(query)
    const found = await store.traces(projectId, sessionId, { limit: limit + 1, after })
    const { page, next } = toTracePage(found, limit)
    const users = await store.users(projectId, [sessionId])
    const summaries = await traces.summaries(
      projectId,
      page.map(({ traceId }) => traceId),
    )
    return { view: { ...toSession(sums, users.get(sessionId) ?? null), traces: summaries }, next }
  }

  async #find(projectId: string, query: ListSessionsQuery, page: Page): Promise<SessionPlace[]> {
    const { store, rollups, scanMs } = this.#dependencies
    const conditions = parseTraceFilters(query)
    const deadline = new Deadline(scanMs)
    const everything = { dimension: 'all' as const, value: '' }
    const from = conditions.startMs ?? -8.64e15
    const to = Math.min(conditions.endMs ?? 8.64e15, (page.after?.createdMs ?? 8.64e15) + 1)
    const found: SessionPlace[] = []
    for (const slice of await planSlices(rollups, projectId, everything, { from, to })) {
      deadline.check()
      const narrowed = { ...conditions, startMs: slice.from, endMs: slice.to }
      found.push(...(await store.newest(projectId, narrowed, { ...page, limit: page.limit - found.length })))
      if (found.length >= page.limit) break
    }
    return found
  }
}
