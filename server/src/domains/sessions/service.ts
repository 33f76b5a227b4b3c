import { CairnError, type ListSessionsQuery, limits, type Session, type SessionQuery } from '@cairn/contract'
import type { Paged } from '../../lib/cursor.ts'
import { indexable } from '../../lib/indexable.ts'
import { jsonArray } from '../../lib/json-array.ts'
import type { Scan, Scans } from '../../lib/scans.ts'
import { toIso } from '../../lib/time.ts'
import {
  parseTraceCursor,
  parseTraceFilters,
  scanTraces,
  type TracePage,
  type TraceReader,
  type TraceStore,
  toTracePage,
} from '../traces/index.ts'
import type { SessionPosition, SessionStore, SessionSums } from './store.ts'

export interface SessionDependencies {
  store: SessionStore
  traceStore: TraceStore
  traces: Pick<TraceReader, 'summaryPage'>
  scans: Scans
}

function toSession(sums: SessionSums, userId: string | null): Session {
  return {
    session_id: sums.session_id,
    user_id: userId,
    trace_count: sums.trace_count,
    error_count: sums.error_count,
    total_cost: sums.total_cost ?? 0,
    unpriced_count: sums.trace_count - sums.priced_count,
    total_tokens: sums.total_tokens ?? 0,
    avg_latency_ms: sums.avg_latency_ms ?? 0,
    first_trace_at: toIso(sums.first_at),
    last_trace_at: toIso(sums.last_at),
  }
}

function parsePage({ limit = limits.listDefault, cursor }: SessionQuery): TracePage {
  return { limit, after: parseTraceCursor(cursor) }
}

/** Sessions: traces with the same session id. */
export class SessionService {
  readonly #dependencies: SessionDependencies

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies
  }

  /** Sessions by their newest trace, newest first. */
  async list(projectId: string, query: ListSessionsQuery, signal?: AbortSignal): Promise<Paged<Session>> {
    const { limit, after } = parsePage(query)
    const scan = this.#dependencies.scans.begin([projectId], { signal })
    const found = await this.#find(scan, projectId, query, { limit: limit + 1, after })
    const { page, next } = toTracePage(found, limit)
    const ids = page.map(({ sessionId }) => sessionId)
    return { page: await this.#load(scan, projectId, ids), next }
  }

  /** A session with a page of its traces, oldest first: a `SessionView` in JSON. */
  async get(
    projectId: string,
    id: string,
    query: SessionQuery,
    signal?: AbortSignal,
  ): Promise<{ json: Buffer; next: string | undefined }> {
    const { store, traces, scans } = this.#dependencies
    const sessionId = indexable(id)
    const scan = scans.begin([projectId], { signal })
    const [session] = await this.#load(scan, projectId, [sessionId])
    if (!session) throw new CairnError('not_found', 'session not found')
    const { limit, after } = parsePage(query)
    const found = await store.traces(projectId, sessionId, { limit: limit + 1, after })
    const { page, next } = await traces.summaryPage(projectId, found, limit, scan)
    const head = `${JSON.stringify(session).slice(0, -1)},"traces":`
    return { json: Buffer.concat([Buffer.from(head), jsonArray(page), Buffer.from('}')]), next }
  }

  /** The existing sessions among these ids, in the order of the ids. A session may have any number of traces. */
  async #load(scan: Scan, projectId: string, ids: readonly string[]): Promise<Session[]> {
    const { store } = this.#dependencies
    const byId = new Map<string, Session>()
    await scan.eachPart(ids, async (part) => {
      const [sums, users] = await Promise.all([store.sums(projectId, part), store.users(projectId, part)])
      for (const row of sums) {
        byId.set(row.session_id, toSession(row, users.get(row.session_id) ?? null))
      }
    })
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  async #find(
    scan: Scan,
    projectId: string,
    query: ListSessionsQuery,
    { limit, after }: TracePage,
  ): Promise<SessionPosition[]> {
    const { store, traceStore: traces } = this.#dependencies
    const { startMs, endMs, ...others } = parseTraceFilters(query)
    const found: SessionPosition[] = []
    const everything = { traces, projectId, conditions: { startMs, endMs }, after }
    await scanTraces(scan, everything, async (slice) => {
      found.push(...(await store.newest(projectId, slice, others, limit - found.length)))
      return found.length >= limit
    })
    return found
  }
}
