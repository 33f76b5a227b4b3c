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
import { decodeStored, type TraceRecord, toRecord } from './record.ts'
import type { IdempotencyStore } from './store/index.ts'
import type { StepRows, TraceStore } from './store.ts'
import { toSteps } from './write-cost.ts'
import type { TraceWriter } from './writer.ts'

/** The charge of the calls of a trace; their cost is the cost of the trace. */
export interface NewCharge extends Omit<Charge, 'cost'> {
  /** USD of calls in the trace that are charged already. */
  chargedCost?: number
}

/** The cost is null if only calls that are charged already have one. */
function toCharge({ chargedCost = 0, ...charge }: NewCharge, { facts }: NewTrace): Charge {
  const total = facts.cost?.total ?? null
  if (total === null || chargedCost === 0) return { ...charge, cost: total }
  return { ...charge, cost: total > chargedCost ? total - chargedCost : null }
}

export interface TraceRecorderOptions {
  store: TraceStore
  writer: TraceWriter
  idempotency: IdempotencyStore
  /** Loads the current prices of a project. */
  pricing: (projectId: string) => Promise<Pricing>
  checkTrace: (value: unknown) => CreateTrace
  /** Maximum number of tags and attributes of all traces of a batch. */
  maxBatchLabels: number
}

/** Records traces from clients, and traces of the server's own calls to models. */
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

  /** Writes a trace of the server, the charge of its answer and other rows of the trace, in one transaction. */
  async record(
    projectId: string,
    request: CreateTrace,
    charge: NewCharge,
    rowsOf: (traceId: string) => NonNullable<StepRows['inserts']> = () => [],
  ): Promise<CreatedTrace> {
    const trace = await this.#toNewTrace(projectId, toRecord(request))
    const charges = [toCharge(charge, trace)]
    await this.#writer.write(projectId, [[trace]], charges, rowsOf(trace.traceId))
    return { trace_id: trace.traceId, status: 'created' }
  }

  /** Writes a trace with the given id, unless a trace with this id exists. Returns the stored trace. */
  async createOnce(
    projectId: string,
    traceId: string,
    request: CreateTrace,
    charge?: NewCharge,
  ): Promise<TraceRecord> {
    const record = { ...toRecord(request), trace_id: traceId }
    const trace = await this.#toNewTrace(projectId, record)
    const cost = trace.facts.cost?.total ?? null
    const charges = charge ? [toCharge(charge, trace)] : []
    if ((await this.#writer.tryToWrite(projectId, [[trace]], {}, charges)) === 'written') {
      return { ...record, cost, cost_source: trace.costSource }
    }
    const [stored] = await this.#options.store.load(projectId, [traceId])
    if (stored) return decodeStored(stored)
    throw new Error('a trace was stored already, and then deleted')
  }

  /**
   * Validates each item separately and writes the valid ones, in several transactions if they are many or large. Resolves
   * when all of them are durable. With a key, a repeated request adds traces that are missing after a crash.
   */
  async createBatch(
    projectId: string,
    items: readonly unknown[],
    idempotencyKey?: string,
  ): Promise<CreatedTraceBatch> {
    const valid: NewTrace[] = []
    const results = await this.#checkBatch(projectId, items, valid)
    const [first] = results
    if (valid.length === 0 && first && 'error' in first) {
      const message = `none of the traces can be stored; traces[0]: ${first.error}`
      throw new CairnError('invalid_request', message, { param: 'traces[0]' })
    }
    const steps = await toSteps(valid)
    const answer = { results, created: valid.length, failed: items.length - valid.length }
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

  /** Returns the result of each item, and adds the valid traces to `valid`. */
  async #checkBatch(
    projectId: string,
    items: readonly unknown[],
    valid: NewTrace[],
  ): Promise<TraceBatchItem[]> {
    const { checkTrace, maxBatchLabels } = this.#options
    const pricing = await this.#options.pricing(projectId)
    const results: TraceBatchItem[] = []
    const pace = createPacer()
    let labels = 0
    for (const [index, item] of items.entries()) {
      try {
        // The body parser has rejected this item.
        if (item instanceof CairnError) throw item
        const trace = await this.#toNewTrace(projectId, toRecord(checkTrace(item)), pricing)
        valid.push(trace)
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

  /** The traces of a stored response that are not stored, with their planned ids and times. */
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

  /** Resolves when all accepted traces are written. */
  drain(): Promise<void> {
    return this.#writer.drain()
  }
}
