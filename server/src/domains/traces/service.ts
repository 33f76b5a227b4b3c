import {
  CairnError,
  type CreatedTrace,
  type CreatedTraceBatch,
  type CreateTrace,
  type DeletedTraces,
  type ListTracesQuery,
  limits,
  type RepricedTraces,
  type RepriceTraces,
  type StoredScore,
  type Trace,
  type TraceBatchItem,
  type TraceFilters,
  type TracePreview,
} from '@cairn/contract'
import { runFor } from '../../lib/current-tenant.ts'
import type { Paged } from '../../lib/cursor.ts'
import { GroupCommit } from '../../lib/group-commit.ts'
import { encodeJson } from '../../lib/json/encode.ts'
import { jsonArray } from '../../lib/json-array.ts'
import type { Scan, Scans } from '../../lib/scans.ts'
import { nextTurn, Turns } from '../../lib/turns.ts'
import type { Pricing } from '../prices/index.ts'
import type { Charge } from '../usage/index.ts'
import { parseTraceCursor, toTracePage } from './cursor.ts'
import { type NewTrace, toNewTrace } from './facts.ts'
import { isFiltering, parseTraceFilters } from './filters.ts'
import { IdempotentWrites, type KeyRows } from './idempotency.ts'
import { type TraceRecord, toRecord, toStoredRecord } from './record.ts'
import { findPositions } from './scan.ts'
import type { TraceConditions, TracePosition } from './store/conditions.ts'
import type { IdempotencyStore } from './store/idempotency.ts'
import type { Page, StepRows, StoredTrace, TraceStore, WriteRefusal } from './store.ts'
import { summaryAsJson, traceAsJson } from './stored-json.ts'
import { toPreview } from './summary.ts'
import { toSteps, transactionCost, WriteCost } from './write-cost.ts'

/** Where the scores of a trace come from; the scores domain provides it. */
interface ScoreReader {
  listForTrace(projectId: string, traceId: string): Promise<StoredScore[]>
  newestForTraces(
    projectId: string,
    traceIds: readonly string[],
  ): Promise<Map<string, TracePreview['scores']>>
}

/** What judges traces as they arrive; the judging domain provides it. */
export interface Arrivals<Rule> {
  /** Rules of a project that are switched on. */
  rulesOf(projectId: string): Promise<readonly Rule[]>
  /** Rows that tell the rules of the traces, to be written with them. */
  inserts(
    arrived: readonly { rules: readonly Rule[]; traceIds: readonly string[] }[],
  ): NonNullable<StepRows['inserts']>
}

export interface TraceServiceOptions {
  store: TraceStore
  idempotency: IdempotencyStore
  scores: ScoreReader
  projectExists: (projectId: string) => Promise<boolean>
  /** Prices of a project at this moment. */
  pricing: (projectId: string) => Promise<Pricing>
  arrivals: Arrivals<unknown>
  checkTrace: (value: unknown) => CreateTrace
  maxQueuedTraces: number
  maxQueuedBytes: number
  /** Tags and attributes of all traces of a batch. */
  maxBatchLabels: number
  /** For filters that no index answers. */
  scans: Scans
}

/** Traces of one request, or a part of them, and rows that are written with them or not at all. */
interface Step {
  traces: readonly NewTrace[]
  rows: StepRows
  rules: readonly unknown[]
  charges: readonly Charge[]
  /** The request is answered after the last step is written. */
  isLast: boolean
}

/** Why a group of steps was not written; tells the queue to write each by itself. */
class RefusedWrite extends Error {
  readonly refusal: WriteRefusal

  constructor(refusal: WriteRefusal) {
    super(`traces were not written: ${refusal}`)
    this.refusal = refusal
  }
}

/** The steps that one transaction writes. */
interface Group {
  steps: Step[]
  cost: WriteCost
}

/** A scan of background work: it takes its tenant's turns and has no time limit. */
const inBackground = { isLetIn: true, limitMs: Number.POSITIVE_INFINITY }
/** What a queued trace holds in memory beside its body. */
const overheadBytes = 800
/** Traces that one transaction deletes or prices again: others get their turn in between. */
const changeStep = 500
/** Bytes of traces that are read at once for a page. A page with more is read at the turns of its tenant. */
const pageStep = 256 * 1024
/** Bytes of traces that a page is made of at most, unless it holds a single one: previews keep little of them. */
const maxPageBytes = { summaries: 8 * 1024 * 1024, previews: 32 * 1024 * 1024 }

interface Sized {
  traceId: string
  size: number
}

interface PageRequest {
  /** One place more than `limit` when there is a next page. */
  found: readonly TracePosition[]
  limit: number
  maxBytes: number
  scan: Scan
}

/** How many of the traces have so many bytes at most; at least one. */
function fitting(sizes: readonly Sized[], maxBytes: number): number {
  let bytes = 0
  const count = sizes.findIndex(({ size }) => {
    bytes += size
    return bytes > maxBytes
  })
  return count === -1 ? sizes.length : Math.max(1, count)
}

/** Ids of traces that have about so many bytes together. */
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

export class TraceService {
  readonly #options: TraceServiceOptions
  readonly #queue: GroupCommit<Step, Group>
  readonly #idempotent: IdempotentWrites

  constructor(options: TraceServiceOptions) {
    this.#options = options
    this.#idempotent = new IdempotentWrites(options.idempotency)
    this.#queue = new GroupCommit<Step, Group>({
      newGroup: () => ({ steps: [], cost: new WriteCost() }),
      put: putStep,
      // All projects have their parts in a group: it is not written for the one whose request came first.
      flush: (group) => runFor(['traces'], () => this.#flush(group)),
      maxCost: transactionCost,
      maxWaiting: { rows: options.maxQueuedTraces, bytes: options.maxQueuedBytes },
      refusal: () =>
        new CairnError(
          'overloaded',
          'too many traces of this project wait to be written (CAIRN_MAX_QUEUED_TRACES, CAIRN_MAX_QUEUED_BYTES); try again shortly',
          { retryAfter: 1 },
        ),
    })
  }

  /** Resolves when the trace is durable and readable. */
  async create(projectId: string, request: CreateTrace, idempotencyKey?: string): Promise<CreatedTrace> {
    const trace = await this.#toNewTrace(projectId, toRecord(request))
    const answer: CreatedTrace = { trace_id: trace.traceId, status: 'created' }
    if (idempotencyKey === undefined) {
      await this.#write(projectId, [[trace]])
      return answer
    }
    return this.#idempotent.run({
      projectId,
      route: 'traces',
      key: idempotencyKey,
      body: request,
      steps: [[trace]],
      answer,
      missingSteps: async () => [],
      write: (steps, rows) => this.#tryToWrite(projectId, steps, rows),
    })
  }

  /** A trace of the server's own, and what its calls came to, in one transaction. */
  async record(projectId: string, request: CreateTrace, charge: Omit<Charge, 'cost'>): Promise<CreatedTrace> {
    const trace = await this.#toNewTrace(projectId, toRecord(request))
    await this.#write(projectId, [[trace]], {}, [{ ...charge, cost: trace.facts.cost?.total ?? null }])
    return { trace_id: trace.traceId, status: 'created' }
  }

  /**
   * Writes a trace under an id of the caller's, unless one has it already: then that one stays. Answers what is stored
   * when this resolves.
   */
  async createOnce(
    projectId: string,
    traceId: string,
    request: CreateTrace,
    charge?: Omit<Charge, 'cost'>,
  ): Promise<TraceRecord> {
    const record = { ...toRecord(request), trace_id: traceId }
    const trace = await this.#toNewTrace(projectId, record)
    const cost = trace.facts.cost?.total ?? null
    const charges = charge ? [{ ...charge, cost }] : []
    if ((await this.#tryToWrite(projectId, [[trace]], {}, charges)) === 'written') {
      return { ...record, cost, cost_source: trace.costSource }
    }
    const stored = await this.find(projectId, traceId)
    if (stored) return stored
    throw new Error('a trace was stored already, and then deleted')
  }

  /** A trace without its scores; undefined when there is none. */
  async find(projectId: string, traceId: string): Promise<TraceRecord | undefined> {
    const [stored] = await this.#options.store.load(projectId, [traceId])
    return stored && toStoredRecord(stored)
  }

  /**
   * Each item is checked by itself. The good ones are written in one transaction, or in several when they are many or
   * large; it resolves when all of them are durable. With a key, a repeat adds what a crash in between has left out.
   */
  async createBatch(
    projectId: string,
    items: readonly unknown[],
    idempotencyKey?: string,
  ): Promise<CreatedTraceBatch> {
    const good: NewTrace[] = []
    const results = await this.#checkBatch(projectId, items, good)
    const [first] = results
    if (good.length === 0 && first && 'error' in first) {
      throw new CairnError('invalid_request', `none of the traces can be stored; traces[0]: ${first.error}`)
    }
    const steps = toSteps(good)
    const answer = { results, created: good.length, failed: items.length - good.length }
    if (idempotencyKey === undefined) {
      await this.#write(projectId, steps)
      return answer
    }
    return this.#idempotent.run({
      projectId,
      route: 'traces/batch',
      key: idempotencyKey,
      body: items,
      steps,
      answer,
      missingSteps: (planned, createdMs) => this.#missingSteps(projectId, items, planned, createdMs),
      write: (each, rows) => this.#tryToWrite(projectId, each, rows),
    })
  }

  /** The result of each item. Traces that can be stored go into `good`. */
  async #checkBatch(
    projectId: string,
    items: readonly unknown[],
    good: NewTrace[],
  ): Promise<TraceBatchItem[]> {
    const { checkTrace, maxBatchLabels } = this.#options
    const pricing = await this.#options.pricing(projectId)
    const results: TraceBatchItem[] = []
    const turns = new Turns()
    let labels = 0
    for (const [index, item] of items.entries()) {
      try {
        // The parser of the body has refused it.
        if (item instanceof CairnError) throw item
        const trace = await this.#toNewTrace(projectId, toRecord(checkTrace(item)), pricing)
        good.push(trace)
        labels += trace.labels.length
        results.push({ index, trace_id: trace.traceId, status: 'created' })
      } catch (error) {
        if (!(error instanceof CairnError)) throw error
        results.push({ index, error: error.message })
      }
      if (labels > maxBatchLabels) {
        throw new CairnError(
          'invalid_request',
          `the traces of a batch must not have more than ${maxBatchLabels} tags and custom attributes together (CAIRN_MAX_BATCH_LABELS); send fewer traces at once`,
        )
      }
      await turns.giveWay()
    }
    return results
  }

  /** The traces that an answer tells of and that are not stored, as they were to be. */
  async #missingSteps(
    projectId: string,
    items: readonly unknown[],
    { results }: CreatedTraceBatch,
    createdMs: number,
  ): Promise<NewTrace[][]> {
    const planned = results.flatMap((result) => ('trace_id' in result ? [result] : []))
    const existing = await this.#options.store.existing(
      projectId,
      planned.map(({ trace_id }) => trace_id),
    )
    const pricing = await this.#options.pricing(projectId)
    const turns = new Turns()
    const missing: NewTrace[] = []
    for (const { index, trace_id } of planned) {
      if (existing.has(trace_id)) continue
      const record = toRecord(this.#options.checkTrace(items[index]), createdMs)
      missing.push(await this.#toNewTrace(projectId, { ...record, trace_id }, pricing))
      await turns.giveWay()
    }
    return toSteps(missing)
  }

  async #toNewTrace(projectId: string, record: TraceRecord, known?: Pricing): Promise<NewTrace> {
    const pricing = known ?? (await this.#options.pricing(projectId))
    return toNewTrace(projectId, record, pricing, await encodeJson(record))
  }

  /** A page of summaries or previews, newest first, and the cursor of the next page when there is one. */
  async list(
    projectId: string,
    query: ListTracesQuery,
    signal?: AbortSignal,
  ): Promise<{ json: Buffer; next: string | undefined }> {
    const limit = query.limit ?? limits.listDefault
    const after = parseTraceCursor(query.cursor)
    // One row more than asked tells whether there is a next page.
    const scan = this.#options.scans.begin([projectId], { signal })
    const wanted = { limit: limit + 1, after }
    const found = await this.#positions(projectId, parseTraceFilters(query), wanted, scan)
    if (query.view !== 'preview') {
      const { page, next } = await this.summaryPage(projectId, found, limit, scan)
      return { json: jsonArray(page), next }
    }
    const ids = found.map(({ traceId }) => traceId)
    const scores = await this.#options.scores.newestForTraces(projectId, ids)
    const request = { found, limit, maxBytes: maxPageBytes.previews, scan }
    const { page, next } = await this.#page(projectId, request, (stored) =>
      toPreview(toStoredRecord(stored), scores.get(stored.trace_id) ?? []),
    )
    return { json: Buffer.from(JSON.stringify(page)), next }
  }

  /**
   * Each a `TraceSummary` in JSON: a page out of one place more than it holds, and the cursor of the next one. Of large
   * traces a page holds fewer.
   */
  summaryPage(
    projectId: string,
    found: readonly TracePosition[],
    limit: number,
    scan: Scan,
  ): Promise<Paged<Buffer>> {
    const maxBytes = maxPageBytes.summaries
    return this.#page(projectId, { found, limit, maxBytes, scan }, summaryAsJson)
  }

  /** The traces that still exist, read a part at a time. */
  async #page<T>(
    projectId: string,
    { found, limit, maxBytes, scan }: PageRequest,
    toRow: (stored: StoredTrace) => T,
  ): Promise<Paged<T>> {
    const { store } = this.#options
    const ids = found.slice(0, limit).map(({ traceId }) => traceId)
    const sizes = await this.#sizes(projectId, ids)
    const { page, next } = toTracePage(found, fitting(sizes, maxBytes))
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
      if (steps.length > 1) await nextTurn()
    }
    return { page: rows, next }
  }

  /** How many bytes the traces have, in the order of their ids here; 0 where one is gone. */
  async #sizes(projectId: string, ids: readonly string[]): Promise<Sized[]> {
    const sizes = await this.#options.store.sizes(projectId, ids)
    const byId = new Map(sizes.map(({ traceId, size }) => [traceId, size]))
    return ids.map((traceId) => ({ traceId, size: byId.get(traceId) ?? 0 }))
  }

  async get(projectId: string, traceId: string): Promise<Trace> {
    const [stored] = await this.#options.store.load(projectId, [traceId])
    if (!stored) throw new CairnError('not_found', 'trace not found')
    return { ...toStoredRecord(stored), scores: await this.#options.scores.listForTrace(projectId, traceId) }
  }

  /** The same as JSON: it may have ten megabytes, which need not be parsed. */
  async readAsJson(projectId: string, traceId: string): Promise<Buffer> {
    const [stored] = await this.#options.store.load(projectId, [traceId])
    if (!stored) throw new CairnError('not_found', 'trace not found')
    return traceAsJson(stored, await this.#options.scores.listForTrace(projectId, traceId))
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

  /** Where the traces are that meet the filters, newest first, however long it takes: for work in the background. */
  positions(projectId: string, conditions: TraceConditions, page: Page): Promise<TracePosition[]> {
    const scan = this.#options.scans.begin([projectId], inBackground)
    return this.#positions(projectId, conditions, page, scan)
  }

  /** Those of the traces that meet the filters, in the order given, however long it takes: for work in the background. */
  async meeting(projectId: string, conditions: TraceConditions, ids: readonly string[]): Promise<string[]> {
    const { store, scans } = this.#options
    const meeting = new Set<string>()
    await scans.begin([projectId], inBackground).eachPart(ids, async (part) => {
      for (const id of await store.meeting(projectId, conditions, part)) meeting.add(id)
    })
    return ids.filter((id) => meeting.has(id))
  }

  /** The stored bytes of those of the traces that are there, in steps of about `maxBytes`. */
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

  /** Resolves when every trace that was accepted is written. */
  drain(): Promise<void> {
    return this.#queue.drain()
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
      const found = await this.#positions(projectId, conditions, { limit: changeStep, after }, scan)
      if (found.length > 0) yield found.map(({ traceId }) => traceId)
      after = found.length < changeStep ? undefined : found.at(-1)
    } while (after)
  }

  #positions(
    projectId: string,
    conditions: TraceConditions,
    page: Page,
    scan: Scan,
  ): Promise<TracePosition[]> {
    return findPositions(this.#options.store, scan, projectId, conditions, page)
  }

  async #flush({ steps, cost }: Group): Promise<void> {
    const { store, arrivals } = this.#options
    const arrived = steps
      .filter(({ rules }) => rules.length > 0)
      .map(({ rules, traces }) => ({ rules, traceIds: traces.map(({ traceId }) => traceId) }))
    const outcome = await store.insert(
      steps.flatMap(({ traces }) => traces),
      [
        ...steps.flatMap(({ rows }) => rows.inserts ?? []),
        ...(arrived.length > 0 ? arrivals.inserts(arrived) : []),
      ],
      {
        charges: steps.flatMap(({ charges }) => charges),
        after: steps.flatMap(({ rows }) => rows.after ?? []),
        increments: cost.increments,
        durable: steps.some(({ isLast }) => isLast),
      },
    )
    if (outcome !== 'inserted') throw new RefusedWrite(outcome)
  }

  /** Traces whose ids are new: none is there already. */
  async #write(
    projectId: string,
    steps: readonly (readonly NewTrace[])[],
    rows: KeyRows = {},
    charges: Charge[] = [],
  ): Promise<void> {
    const outcome = await this.#tryToWrite(projectId, steps, rows, charges)
    if (outcome === 'taken') throw new Error('the new id of a trace is taken')
  }

  /**
   * Writes the steps one after another, each in one transaction with what others write; the charges go with the first.
   * `taken` when a trace or an Idempotency-Key of a step is there already: that step and those behind it are not written.
   */
  async #tryToWrite(
    projectId: string,
    steps: readonly (readonly NewTrace[])[],
    { first = {}, last = {} }: KeyRows = {},
    charges: Charge[] = [],
  ): Promise<'written' | 'taken'> {
    const rules = await this.#options.arrivals.rulesOf(projectId)
    const traces = steps.flat()
    const bytes = traces.reduce((sum, trace) => sum + trace.body.length + overheadBytes, 0)
    const items = steps.map((step, index): Step => {
      const ofFirst = index === 0 ? first : {}
      const ofLast = index === steps.length - 1 ? last : {}
      return {
        traces: step,
        rows: {
          inserts: [...(ofFirst.inserts ?? []), ...(ofLast.inserts ?? [])],
          after: [...(ofFirst.after ?? []), ...(ofLast.after ?? [])],
        },
        rules,
        charges: index === 0 ? charges : [],
        isLast: index === steps.length - 1,
      }
    })
    try {
      await this.#queue.add(projectId, items, { rows: traces.length, bytes })
      return 'written'
    } catch (error) {
      if (!(error instanceof RefusedWrite) || error.refusal === 'import_elsewhere') throw error
      if (error.refusal === 'taken') return 'taken'
      // The key was good a moment ago, so the project went away in between.
      throw new CairnError('not_found', 'project not found')
    }
  }
}

/** Returns what the whole group costs. */
function putStep({ steps, cost }: Group, step: Step): number {
  steps.push(step)
  for (const trace of step.traces) cost.add(trace)
  const { inserts = [], after = [] } = step.rows
  cost.addRows(inserts.length + after.length + 3 * step.charges.length)
  return cost.total
}
