import {
  CairnError,
  type ListTracesQuery,
  limits,
  type StoredScore,
  type Trace,
  type TracePreview,
} from '@cairn/contract'
import { type Paged, toPageOf } from '../../lib/cursor.ts'
import { jsonArray } from '../../lib/json-array.ts'
import type { Scan, Scans } from '../../lib/scans.ts'
import { giveWay } from '../../lib/turns.ts'
import { encodeCursor, encodeRankedCursor, parseRankedCursor, parseTraceCursor } from './cursor.ts'
import { parseTraceFilters } from './filters.ts'
import { decodeStored, type TraceRecord } from './record.ts'
import { findPositions, findRanked } from './scan.ts'
import type { TraceConditions, TracePosition } from './store/index.ts'
import type { StoredTrace, TracePage, TraceStore } from './store.ts'
import { summaryAsJson, traceAsJson } from './stored-json.ts'
import { toPreview } from './summary.ts'

/** Reads scores of traces. The scores domain implements it. */
interface ScoreReader {
  listForTrace(projectId: string, traceId: string): Promise<StoredScore[]>
  newestForTraces(
    projectId: string,
    traceIds: readonly string[],
  ): Promise<Map<string, TracePreview['scores']>>
}

export interface TraceReaderOptions {
  store: TraceStore
  scores: ScoreReader
  /** For filters without an index. */
  scans: Scans
}

/** A scan of background work uses its tenant's turns, without a time limit. */
const inBackground = { isLetIn: true, limitMs: Number.POSITIVE_INFINITY }
/** Bytes of traces that are read at once for a page. A larger page is read in steps at its tenant's turns. */
const pageStep = 256 * 1024
/**
 * Maximum bytes of the traces of a page, unless the page has only one trace. Previews may read more, because they contain
 * only a small part of a trace.
 */
const maxPageBytes = { summaries: 8 * 1024 * 1024, previews: 32 * 1024 * 1024 }

interface Sized {
  traceId: string
  size: number
}

/** Up to `limit + 1` positions of a page; the additional one shows that there is a next page. */
interface Found {
  positions: readonly TracePosition[]
  cursorOf: (position: TracePosition) => string
}

interface PageRequest {
  found: Found
  limit: number
  maxBytes: number
  scan: Scan
}

/** How many of the first traces have at most `maxBytes` in total; at least one. */
function fitting(sizes: readonly Sized[], maxBytes: number): number {
  let bytes = 0
  const count = sizes.findIndex(({ size }) => {
    bytes += size
    return bytes > maxBytes
  })
  return count === -1 ? sizes.length : Math.max(1, count)
}

/** Yields ids of traces in steps of about `maxBytes`. */
function* stepsOf(sizes: readonly Sized[], maxBytes: number): Generator<string[]> {
  let [step, bytes]: [string[], number] = [[], 0]
  for (const { traceId, size } of sizes) {
    if (step.length > 0 && bytes + size > maxBytes) {
      yield step
      ;[step, bytes] = [[], 0]
    }
    step.push(traceId)
    bytes += size
  }
  if (step.length > 0) yield step
}

/** Reads single traces, pages of traces, and traces for background work. */
export class TraceReader {
  readonly #options: TraceReaderOptions

  constructor(options: TraceReaderOptions) {
    this.#options = options
  }

  /** A trace without its scores; undefined if it does not exist. */
  async find(projectId: string, traceId: string): Promise<TraceRecord | undefined> {
    const [stored] = await this.#options.store.load(projectId, [traceId])
    return stored && decodeStored(stored)
  }

  /** A JSON array of summaries or previews, and the cursor of the next page if there is one. */
  async list(
    projectId: string,
    query: ListTracesQuery,
    signal?: AbortSignal,
  ): Promise<{ json: Buffer; next: string | undefined }> {
    const limit = query.limit ?? limits.listDefault
    const scan = this.#options.scans.begin([projectId], { signal })
    const found = await this.#find(projectId, query, limit + 1, scan)
    if (query.view !== 'preview') {
      const request = { found, limit, maxBytes: maxPageBytes.summaries, scan }
      const { page, next } = await this.#page(projectId, request, summaryAsJson)
      return { json: jsonArray(page), next }
    }
    const ids = found.positions.map(({ traceId }) => traceId)
    const scores = await this.#options.scores.newestForTraces(projectId, ids)
    const request = { found, limit, maxBytes: maxPageBytes.previews, scan }
    const { page, next } = await this.#page(projectId, request, (stored) =>
      // Bytes, because in JavaScript a cut text keeps the whole text in memory.
      Buffer.from(JSON.stringify(toPreview(decodeStored(stored), scores.get(stored.trace_id) ?? []))),
    )
    return { json: jsonArray(page), next }
  }

  /** The positions of a page in the requested order. */
  async #find(projectId: string, query: ListTracesQuery, limit: number, scan: Scan): Promise<Found> {
    const { sort_by: by = 'time', order = 'desc', cursor } = query
    const conditions = parseTraceFilters(query)
    if (by === 'time') {
      const after = parseTraceCursor(cursor)
      const inOrder: TraceConditions = order === 'asc' ? { ...conditions, oldestFirst: true } : conditions
      const positions = await this.#positions(projectId, inOrder, { limit, after }, scan)
      return { positions, cursorOf: encodeCursor }
    }
    const ranking = { by, order }
    const wanted = { ranking, limit, after: parseRankedCursor(cursor, ranking) }
    const positions = await findRanked(this.#options.store, scan, projectId, conditions, wanted)
    const cursors = new Map(positions.map((each) => [each.traceId, encodeRankedCursor(ranking, each)]))
    return { positions, cursorOf: ({ traceId }) => cursors.get(traceId) ?? '' }
  }

  /**
   * The `TraceSummary` of each trace as JSON, and the cursor of the next page. `positions` has up to `limit + 1` of them.
   * A page with large traces has fewer of them.
   */
  summaryPage(
    projectId: string,
    positions: readonly TracePosition[],
    limit: number,
    scan: Scan,
  ): Promise<Paged<Buffer>> {
    const found = { positions, cursorOf: encodeCursor }
    return this.#page(projectId, { found, limit, maxBytes: maxPageBytes.summaries, scan }, summaryAsJson)
  }

  /** Reads the existing traces of a page in steps. */
  async #page<T>(
    projectId: string,
    { found, limit, maxBytes, scan }: PageRequest,
    toRow: (stored: StoredTrace) => T,
  ): Promise<Paged<T>> {
    const { store } = this.#options
    const { positions, cursorOf } = found
    const ids = positions.slice(0, limit).map(({ traceId }) => traceId)
    const sizes = await this.#sizes(projectId, ids)
    const { page, next } = toPageOf(positions, fitting(sizes, maxBytes), cursorOf)
    const steps = [...stepsOf(sizes.slice(0, page.length), pageStep)]
    const rows: T[] = []
    for (const step of steps) {
      const stored =
        steps.length === 1
          ? await store.load(projectId, step)
          : await scan.step(() => store.loadLarge(projectId, step))
      const byId = new Map(stored.map((each) => [each.trace_id, each]))
      for (const id of step) {
        const one = byId.get(id)
        if (one) rows.push(toRow(one))
      }
      if (steps.length > 1) await giveWay()
    }
    return { page: rows, next }
  }

  /** The sizes of the traces in bytes, in the order of `ids`; 0 for a deleted trace. */
  async #sizes(projectId: string, ids: readonly string[]): Promise<Sized[]> {
    const sizes = await this.#options.store.sizes(projectId, ids)
    const byId = new Map(sizes.map(({ traceId, size }) => [traceId, size]))
    return ids.map((traceId) => ({ traceId, size: byId.get(traceId) ?? 0 }))
  }

  async get(projectId: string, traceId: string): Promise<Trace> {
    const [stored] = await this.#options.store.load(projectId, [traceId])
    if (!stored) throw new CairnError('not_found', 'trace not found')
    return { ...decodeStored(stored), scores: await this.#options.scores.listForTrace(projectId, traceId) }
  }

  /** The same as JSON, without parsing the stored body, which may have ten megabytes. */
  async readAsJson(projectId: string, traceId: string): Promise<Buffer> {
    const [stored] = await this.#options.store.load(projectId, [traceId])
    if (!stored) throw new CairnError('not_found', 'trace not found')
    return traceAsJson(stored, await this.#options.scores.listForTrace(projectId, traceId))
  }

  /** The positions of the traces that match the filters, newest first. For background work, so there is no time limit. */
  positions(projectId: string, conditions: TraceConditions, page: TracePage): Promise<TracePosition[]> {
    const scan = this.#options.scans.begin([projectId], inBackground)
    return this.#positions(projectId, conditions, page, scan)
  }

  /** The given traces that match the filters, in the order of `ids`. For background work, so there is no time limit. */
  async matching(projectId: string, conditions: TraceConditions, ids: readonly string[]): Promise<string[]> {
    const { store, scans } = this.#options
    const matching = new Set<string>()
    await scans.begin([projectId], inBackground).eachPart(ids, async (part) => {
      for (const id of await store.matching(projectId, conditions, part)) matching.add(id)
    })
    return ids.filter((id) => matching.has(id))
  }

  /** Yields the stored bodies of the existing traces, in steps of about `maxBytes`. */
  async *bodies(
    projectId: string,
    ids: readonly string[],
    maxBytes: number,
  ): AsyncGenerator<{ traceId: string; body: Uint8Array }[]> {
    const sizes = await this.#options.store.sizes(projectId, ids)
    for (const step of stepsOf(sizes, maxBytes)) yield await this.#bodiesOf(projectId, step)
  }

  async #bodiesOf(projectId: string, ids: readonly string[]) {
    const stored = await this.#options.store.load(projectId, ids)
    return stored.map(({ trace_id, body }) => ({ traceId: trace_id, body }))
  }

  #positions(
    projectId: string,
    conditions: TraceConditions,
    page: TracePage,
    scan: Scan,
  ): Promise<TracePosition[]> {
    return findPositions(this.#options.store, scan, projectId, conditions, page)
  }
}
