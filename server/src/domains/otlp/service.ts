import { setTimeout as pause } from 'node:timers/promises'
import { CairnError } from '@cairn/contract'
import { newId } from '../../lib/ids.ts'
import type { Inbox } from './inbox.ts'
import { toItems } from './items.ts'
import type { EventOfSpan } from './log-events.ts'
import { encodeReceived, hasRoomFor, type ReceivedPart, takeUpToLimit } from './received.ts'
import type { Rejections } from './rejections.ts'
import { TraceSizes } from './sizes.ts'
import type { OtlpSpan } from './span.ts'
import type { InboxItem, OtlpStore, TraceSize } from './store.ts'

interface Options {
  store: Pick<OtlpStore, 'sizes' | 'forgetDeleted'>
  inbox: Inbox
}

/** How long spans of a deleted trace are rejected. */
const deletedMs = 30 * 24 * 60 * 60 * 1000
/** How long a request waits for the spans of a trace that is nearly full, and how often it looks. */
const [waitMs, lookMs] = [5_000, 100]

/** Takes spans, and resolves when they are on disk. `Assembler` makes traces of them. */
export class OtlpService {
  readonly #options: Options
  readonly #sizes: TraceSizes

  constructor(options: Options) {
    this.#options = options
    this.#sizes = new TraceSizes((projectId, traceIds) => options.store.sizes(projectId, traceIds))
  }

  async receiveSpans(projectId: string, spans: readonly OtlpSpan[], rejections: Rejections): Promise<void> {
    const received = spans.map(({ traceId, ...span }) => ({ traceId, part: { span } }))
    await this.#receive(projectId, received, rejections)
  }

  /** Stores events of spans, which may arrive before their span. */
  async receiveEvents(
    projectId: string,
    events: readonly EventOfSpan[],
    rejections: Rejections,
  ): Promise<void> {
    const received = events.map(({ traceId, ...part }) => ({ traceId, part }))
    await this.#receive(projectId, received, rejections)
  }

  /**
   * Stores the parts, except those that are added to `rejections`: of full and of deleted traces.
   * @throws `overloaded`
   */
  async #receive(
    projectId: string,
    received: readonly ReceivedPart[],
    rejections: Rejections,
  ): Promise<void> {
    if (received.length === 0) return
    const byTrace = await encodeReceived(received)
    const sizes = await this.#settledSizes(projectId, byTrace)
    const items: InboxItem[] = []
    for (const [traceId, parts] of byTrace) {
      const taken = takeUpToLimit(parts, sizes.get(traceId), rejections)
      items.push(...toItems({ projectId, traceId, newItemId: () => newId('spn_') }, taken))
    }
    await this.#options.inbox.write(projectId, items)
  }

  /** Forgets traces that were deleted long ago. */
  forgetDeleted(projectId: string): Promise<void> {
    return this.#options.store.forgetDeleted(projectId, Date.now() - deletedMs)
  }

  /**
   * The sizes of the traces. Pending spans may be repeated ones. So for a trace that only pending spans make full, the
   * method waits until they are in the trace.
   */
  async #settledSizes(
    projectId: string,
    byTrace: ReadonlyMap<string, readonly Buffer[]>,
  ): Promise<Map<string, TraceSize>> {
    const giveUpAt = Date.now() + waitMs
    for (;;) {
      const sizes = await this.#sizes.of(projectId, [...byTrace.keys()])
      const isUnclear = [...byTrace].some(([traceId, parts]) => {
        const size = sizes.get(traceId)
        return size !== undefined && size.pendingSpans > 0 && !hasRoomFor(size, parts)
      })
      if (!isUnclear) return sizes
      if (Date.now() > giveUpAt) {
        throw new CairnError('overloaded', 'a trace with nearly too many spans is being put together', {
          retryAfter: 1,
        })
      }
      await pause(lookMs)
    }
  }
}
