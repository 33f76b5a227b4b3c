import type { CairnError } from '@cairn/contract'
import { FairQueue } from '../../lib/fair-queue.ts'
import { encodeJson } from '../../lib/json/encode.ts'
import { parseStoredBytes } from '../../lib/json/stored.ts'
import { createPacer } from '../../lib/turns.ts'
import type { Pricing } from '../prices/index.ts'
import {
  type Arrivals,
  type NewTrace,
  TraceChangedError,
  toLargeRecord,
  toNewTrace,
  toRecord,
  toSteps,
  withTagEdits,
} from '../traces/index.ts'
import { type Assembled, mapSpans, scoresOf, toRow } from './assembled.ts'
import { addScores, newScores, scoresPerWrite } from './assembled-scores.ts'
import { isWasteful, rewrite } from './items.ts'
import { portionsOf, readBytes } from './portions.ts'
import { isImported } from './span.ts'
import {
  type Assembly,
  type InboxItem,
  type OtlpStore,
  PendingChangedError,
  type PendingItem,
} from './store.ts'
import { SpansOfTrace, type StoredPart } from './stored-part.ts'

export interface AssemblerOptions {
  store: OtlpStore
  pricing: (projectId: string) => Promise<Pricing>
  arrivals: Arrivals<unknown>
  /** Reports spans that make no valid trace. They are stored as a trace without their fields. */
  onUnusable: (error: unknown, traceId: string) => void
}

/** Rows of pending spans that are looked at together. */
const lookRows = 500
/** Tries to write traces that another process changes. */
const maxTries = 5

/** Other processes put the same traces together at the same time. */
export class ContentionError extends Error {}

/** Traces that were put together, and traces that have only events and scores so far. */
export interface StepCounts {
  traces: number
  waiting: number
}

/** Puts traces together from their spans. */
export class Assembler {
  readonly #options: AssemblerOptions
  /** Traces of more than `readBytes`, one at a time: one of 50 MB needs several hundred megabytes. */
  readonly #large = new FairQueue({
    width: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    refusal: () => new Error('the queue has no limit'),
  })

  constructor(options: AssemblerOptions) {
    this.#options = options
  }

  /** Puts the traces with the oldest pending spans together. Returns undefined if no spans are left up to the item. */
  async step(projectId: string, upTo: string): Promise<StepCounts | undefined> {
    const oldest = await this.#options.store.pending(projectId, upTo, lookRows)
    if (oldest.length === 0) return undefined
    const ids = [...new Set(oldest.map(({ trace_id }) => trace_id))]
    const counts: StepCounts = { traces: 0, waiting: 0 }
    for (const portion of portionsOf(ids, await this.#options.store.sizes(projectId, ids))) {
      const assemble = () => this.#assemble(projectId, portion.traceIds, counts)
      if (portion.bytes <= readBytes) await assemble()
      else await this.#large.resume([projectId], assemble)
    }
    return counts
  }

  /** Reads the traces anew if another process changes one of them meanwhile. */
  async #assemble(projectId: string, traceIds: readonly string[], counts: StepCounts): Promise<void> {
    for (let tried = 1; ; tried++) {
      if (await this.#tryToAssemble(projectId, traceIds, tried, counts)) return
      if (tried === maxTries) throw new ContentionError('the traces of spans change too often')
    }
  }

  async #tryToAssemble(
    projectId: string,
    traceIds: readonly string[],
    tried: number,
    counts: StepCounts,
  ): Promise<boolean> {
    const { store } = this.#options
    // Read before the spans, so that each pending row is among the spans.
    const pending = await store.pendingOf(projectId, traceIds)
    const known = new Map((await store.assembled(projectId, traceIds)).map((row) => [row.trace_id, row]))
    const isDeleted = (traceId: string) => known.get(traceId)?.deleted_at != null
    const deleted = traceIds.filter(isDeleted)
    if (deleted.length > 0) await store.dropDeleted(projectId, deleted)
    const pendingOf = Map.groupBy(pending, ({ trace_id }) => trace_id)
    const live = traceIds.filter((traceId) => pendingOf.has(traceId) && !isDeleted(traceId))
    if (live.length === 0) return true
    const pricing = await this.#options.pricing(projectId)
    const assembled: Assembled[] = []
    const waiting: { spans: SpansOfTrace; items: string[] }[] = []
    const pace = createPacer()
    for (const spans of await this.#readSpans(projectId, live)) {
      const row = known.get(spans.traceId)
      const items = (pendingOf.get(spans.traceId) ?? []).map(({ item_id }: PendingItem) => item_id)
      if (spans.isEmpty) waiting.push({ spans, items })
      else assembled.push(await this.#toAssembled(projectId, spans, row?.has_root === 1, items, pricing))
      await pace()
    }
    if (waiting.length > 0 && !(await this.#keepWaiting(projectId, waiting))) return false
    // A trace of an import can have the id of spans; the first try to insert it fails.
    const isStored = (traceId: string) => tried > 1 || known.has(traceId)
    for (const step of await toSteps(assembled)) {
      if (!(await this.#write(projectId, step, isStored))) return false
    }
    counts.traces += assembled.length
    counts.waiting += waiting.length
    return true
  }

  async #readSpans(projectId: string, traceIds: readonly string[]): Promise<SpansOfTrace[]> {
    const byTrace = new Map<string, SpansOfTrace>()
    const pace = createPacer()
    for (const row of await this.#options.store.spans(projectId, traceIds)) {
      const spans = byTrace.get(row.trace_id) ?? new SpansOfTrace(row.trace_id)
      byTrace.set(row.trace_id, spans)
      const parts = await parseStoredBytes(row.spans)
      spans.add(row.item_id, parts as StoredPart[], row.spans.byteLength)
      await pace()
    }
    return [...byTrace.values()]
  }

  async #toAssembled(
    projectId: string,
    spans: SpansOfTrace,
    hadRoot: boolean,
    items: string[],
    pricing: Pricing,
  ): Promise<Assembled> {
    const all = spans.spans
    const hasRoot = all.some(({ parentId }) => parentId === undefined)
    const trace = await this.#toNewTrace(projectId, spans, pricing)
    // Scoring rules are for new traces, and an import may bring a million old ones.
    const isNew = hasRoot && !hadRoot && !all.some(isImported)
    return { ...trace, spans, items, hasRoot, isComplete: isNew }
  }

  /** Spans that the mapping cannot handle must not stop the other traces of the project. */
  async #toNewTrace(
    projectId: string,
    { traceId, spans, given }: SpansOfTrace,
    pricing: Pricing,
  ): Promise<NewTrace> {
    try {
      const record = { ...(await toLargeRecord(await mapSpans(spans, given))), trace_id: traceId }
      return toNewTrace(projectId, record, pricing, await encodeJson(record))
    } catch (error) {
      this.#options.onUnusable(error as CairnError, traceId)
      const record = {
        ...toRecord({ input: '', output: '', error: 'the spans of this trace are unusable' }),
        trace_id: traceId,
      }
      return toNewTrace(projectId, record, pricing)
    }
  }

  /** Events whose spans have not arrived make no trace; they are read again with the first span. */
  #keepWaiting(
    projectId: string,
    waiting: readonly { spans: SpansOfTrace; items: string[] }[],
  ): Promise<boolean> {
    return this.#commit(projectId, {
      traces: [],
      stored: [],
      isNew: false,
      items: waiting.flatMap(({ items }) => items),
      rows: waiting.map(({ spans }) => toRow(spans, false)),
      superseded: [],
      rewritten: [],
      scores: [],
      inserts: [],
    })
  }

  /** Returns false if a trace or its spans have changed since they were read. */
  async #commit(projectId: string, assembly: Assembly): Promise<boolean> {
    try {
      return (await this.#options.store.write(projectId, assembly)) !== 'changed'
    } catch (error) {
      if (error instanceof PendingChangedError || error instanceof TraceChangedError) return false
      throw error
    }
  }

  /** Writes traces. If they have many scores, their spans stay pending until all scores are written. */
  async #write(
    projectId: string,
    mapped: readonly Assembled[],
    isStored: (traceId: string) => boolean,
  ): Promise<boolean> {
    const { store, arrivals } = this.#options
    const stored = await store.storedTraces(projectId, mapped.map(({ traceId }) => traceId).filter(isStored))
    const edits = new Map(stored.map(({ traceId, tagEdits }) => [traceId, tagEdits]))
    const step: Assembled[] = []
    for (const trace of mapped) step.push(await withTagEdits(trace, edits.get(trace.traceId)))
    const complete = step.filter(({ isComplete }) => isComplete).map(({ traceId }) => traceId)
    const rules = complete.length === 0 ? [] : await arrivals.rulesOf(projectId)
    const rewritten: InboxItem[] = []
    for (const { spans } of step) if (isWasteful(spans)) rewritten.push(...(await rewrite(projectId, spans)))
    const known = new Set(stored.map(({ traceId }) => traceId))
    const scores = await newScores(store, projectId, await scoresOf(projectId, step, known), known)
    const items = step.flatMap((trace) => trace.items)
    const isMuch = scores.length > scoresPerWrite
    const isWritten = await this.#commit(projectId, {
      traces: step,
      stored,
      isNew: step.every(({ traceId, spans }) => !isStored(traceId) && spans.superseded.length === 0),
      items: isMuch ? [] : items,
      rows: step.map(({ spans, hasRoot }) => toRow(spans, hasRoot)),
      superseded: step.flatMap(({ spans }) => {
        const itemIds = isWasteful(spans) ? spans.itemIds : spans.superseded
        return itemIds.map((itemId) => ({ traceId: spans.traceId, itemId }))
      }),
      rewritten,
      scores: isMuch ? [] : scores,
      inserts: rules.length === 0 ? [] : arrivals.inserts([{ rules, traceIds: complete }]),
    })
    if (isWritten && isMuch) await addScores(store, projectId, scores, items)
    return isWritten
  }
}
