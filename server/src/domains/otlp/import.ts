import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '../../lib/ids.ts'
import type { Pricing } from '../prices/index.ts'
import type { ImportProgress } from '../traces/index.ts'
import { Assembler, type AssemblerOptions, ContentionError, type StepCounts } from './assembler.ts'
import { toItems } from './items.ts'
import { encodeReceived, hasRoomFor, type ReceivedPart, takeUpToLimit } from './received.ts'
import { Rejections } from './rejections.ts'
import type { InboxItem, OtlpStore, TraceSize } from './store.ts'

interface Options {
  store: OtlpStore
  pricing: (projectId: string) => Promise<Pricing>
  onUnusable: AssemblerOptions['onUnusable']
}

/** Number of ids in one query. */
const idsPerQuery = 500
const contentionMs = 100

/** Writes parts of traces that an import has read, and puts the traces together. A server may do so at the same time. */
export class PartImport {
  readonly #store: OtlpStore
  readonly #assembler: Assembler

  constructor({ store, ...options }: Options) {
    this.#store = store
    // Scoring rules do not apply to imported traces.
    const arrivals = { rulesOf: async () => [], inserts: () => [] }
    this.#assembler = new Assembler({ store, arrivals, ...options })
  }

  /** Writes the parts and the progress in one transaction. Parts of full and of deleted traces are added to `rejections`. */
  async write(
    projectId: string,
    received: readonly ReceivedPart[],
    progress: readonly ImportProgress[],
    rejections: Rejections,
  ): Promise<'inserted' | 'no_project' | 'import_conflict'> {
    const byTrace = await encodeReceived(received)
    const sizes = await this.#settledSizes(projectId, byTrace)
    const items: InboxItem[] = []
    for (const [traceId, parts] of byTrace) {
      const reasons = new Rejections()
      const taken = takeUpToLimit(parts, sizes.get(traceId), reasons)
      if (reasons.reason !== undefined) rejections.add(reasons.reason, reasons.count)
      items.push(...toItems({ projectId, traceId, newItemId: () => newId('spn_') }, taken))
    }
    return this.#store.insertStep(items, progress)
  }

  /** Puts all traces of the project together that have new parts. */
  async assemble(
    projectId: string,
    signal?: AbortSignal,
    onProgress: (counts: StepCounts) => void = () => {},
  ): Promise<StepCounts> {
    const upTo = newId('spn_')
    const counts = { traces: 0, waiting: 0 }
    while (!signal?.aborted) {
      const step = await this.#step(projectId, upTo)
      if (!step) break
      counts.traces += step.traces
      counts.waiting += step.waiting
      onProgress(counts)
    }
    return counts
  }

  /** If a server puts the same traces together, it makes progress meanwhile. */
  async #step(projectId: string, upTo: string): Promise<StepCounts | undefined> {
    try {
      return await this.#assembler.step(projectId, upTo)
    } catch (error) {
      if (!(error instanceof ContentionError)) throw error
      await pause(contentionMs)
      return { traces: 0, waiting: 0 }
    }
  }

  /** The sizes of the traces. Repeated parts that are in no trace yet may make a trace seem full. */
  async #settledSizes(
    projectId: string,
    byTrace: ReadonlyMap<string, readonly Buffer[]>,
  ): Promise<Map<string, TraceSize>> {
    const ids = [...byTrace.keys()]
    const sizes = await this.#sizes(projectId, ids)
    const isUnclear = [...byTrace].some(([traceId, parts]) => {
      const size = sizes.get(traceId)
      return size !== undefined && size.pendingSpans > 0 && !hasRoomFor(size, parts)
    })
    if (!isUnclear) return sizes
    await this.assemble(projectId)
    return this.#sizes(projectId, ids)
  }

  async #sizes(projectId: string, ids: readonly string[]): Promise<Map<string, TraceSize>> {
    const sizes = new Map<string, TraceSize>()
    for (let at = 0; at < ids.length; at += idsPerQuery) {
      const some = await this.#store.sizes(projectId, ids.slice(at, at + idsPerQuery))
      for (const [traceId, size] of some) sizes.set(traceId, size)
    }
    return sizes
  }
}
