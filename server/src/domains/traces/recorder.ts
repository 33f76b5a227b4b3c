import {
  CairnError,
  type CreatedTrace,
  type CreatedTraceBatch,
  type CreateTrace,
  type TraceBatchItem,
} from '@cairn/contract'
import { encodeJson } from '../../lib/json/encode.ts'
import { createPacer } from '../../lib/turns.ts'
import type { Pricing } from '../prices/index.ts'
import type { Charge } from '../usage/index.ts'
import { type NewTrace, toNewTrace } from './facts.ts'
import { IdempotentWrites } from './idempotency.ts'
import { type TraceRecord, toRecord, toStoredRecord } from './record.ts'
import type { IdempotencyStore } from './store/index.ts'
import type { TraceStore } from './store.ts'
import { toSteps } from './write-cost.ts'
import type { TraceWriter } from './writer.ts'

export interface TraceRecorderOptions {
  store: TraceStore
  writer: TraceWriter
  idempotency: IdempotencyStore
  /** Prices of a project at this moment. */
  pricing: (projectId: string) => Promise<Pricing>
  checkTrace: (value: unknown) => CreateTrace
  /** Tags and attributes of all traces of a batch. */
  maxBatchLabels: number
}

/** Records the traces that clients send, and those of the server's own calls to models. */
export class TraceRecorder {
  readonly #options: TraceRecorderOptions
  readonly #writer: TraceWriter
  readonly #idempotent: IdempotentWrites

  constructor(options: TraceRecorderOptions) {
    this.#options = options
    this.#writer = options.writer
    this.#idempotent = new IdempotentWrites(options.idempotency)
  }

  /** Resolves when the trace is durable and readable. */
  async create(projectId: string, request: CreateTrace, idempotencyKey?: string): Promise<CreatedTrace> {
    const trace = await this.#toNewTrace(projectId, toRecord(request))
    const answer: CreatedTrace = { trace_id: trace.traceId, status: 'created' }
    if (idempotencyKey === undefined) {
      await this.#writer.write(projectId, [[trace]])
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
      write: (steps, rows) => this.#writer.tryToWrite(projectId, steps, rows),
    })
  }

  /** A trace of the server's own, and what its calls came to, in one transaction. */
  async record(projectId: string, request: CreateTrace, charge: Omit<Charge, 'cost'>): Promise<CreatedTrace> {
    const trace = await this.#toNewTrace(projectId, toRecord(request))
    await this.#writer.write(projectId, [[trace]], [{ ...charge, cost: trace.facts.cost?.total ?? null }])
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
    if ((await this.#writer.tryToWrite(projectId, [[trace]], {}, charges)) === 'written') {
      return { ...record, cost, cost_source: trace.costSource }
    }
    const [stored] = await this.#options.store.load(projectId, [traceId])
    if (stored) return toStoredRecord(stored)
    throw new Error('a trace was stored already, and then deleted')
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
      await this.#writer.write(projectId, steps)
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
      write: (each, rows) => this.#writer.tryToWrite(projectId, each, rows),
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
    const pace = createPacer()
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
      await pace()
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
    const pace = createPacer()
    const missing: NewTrace[] = []
    for (const { index, trace_id } of planned) {
      if (existing.has(trace_id)) continue
      const record = toRecord(this.#options.checkTrace(items[index]), createdMs)
      missing.push(await this.#toNewTrace(projectId, { ...record, trace_id }, pricing))
      await pace()
    }
    return toSteps(missing)
  }

  async #toNewTrace(projectId: string, record: TraceRecord, known?: Pricing): Promise<NewTrace> {
    const pricing = known ?? (await this.#options.pricing(projectId))
    return toNewTrace(projectId, record, pricing, await encodeJson(record))
  }

  /** Resolves when every trace that was accepted is written. */
  drain(): Promise<void> {
    return this.#writer.drain()
  }
}
