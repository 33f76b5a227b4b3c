import type { OtlpSpan, SpanEvent } from './span.ts'

/** A stored span, or an event that a log record adds to a span. The id of the trace is in the key of the row. */
export type StoredPart = { span: Omit<OtlpSpan, 'traceId'> } | { spanId: string; event: SpanEvent }

interface Kept<T> {
  part: T
  itemId: string
  bytes: number
}

/** The latest version of each span, and the events that log records add to them. */
export class SpansOfTrace {
  readonly traceId: string
  readonly #spans = new Map<string, Kept<{ span: Omit<OtlpSpan, 'traceId'> }>>()
  readonly #events = new Map<string, Kept<{ spanId: string; event: SpanEvent }>>()
  readonly #itemIds = new Set<string>()
  /** Bytes of all items. */
  storedBytes = 0

  constructor(traceId: string) {
    this.traceId = traceId
  }

  /** Adds an item of `bytes` bytes. Later items replace spans of earlier ones. */
  add(itemId: string, parts: readonly StoredPart[], bytes: number): void {
    this.#itemIds.add(itemId)
    this.storedBytes += bytes
    const share = Math.ceil(bytes / Math.max(1, parts.length))
    for (const part of parts) {
      if ('span' in part) this.#spans.set(part.span.spanId, { part, itemId, bytes: share })
      else this.#events.set(JSON.stringify([part.spanId, part.event]), { part, itemId, bytes: share })
    }
  }

  get spans(): OtlpSpan[] {
    const added = Map.groupBy(this.#events.values(), ({ part }) => part.spanId)
    return [...this.#spans.values()].map(({ part: { span } }) => {
      const { spanId, ...others } = span
      const events = (added.get(spanId) ?? []).map(({ part }) => part.event)
      const all = events.length === 0 ? span.events : [...span.events, ...events].toSorted(byTime)
      return { traceId: this.traceId, spanId, ...others, events: all }
    })
  }

  /** The events of spans: their own, and those of log records. With `items`, only of these items. */
  *events(items?: ReadonlySet<string>): Generator<{ spanId: string; event: SpanEvent }> {
    for (const { part, itemId } of this.#events.values()) if (!items || items.has(itemId)) yield part
    for (const { part, itemId } of this.#spans.values()) {
      if (items && !items.has(itemId)) continue
      for (const event of part.span.events) yield { spanId: part.span.spanId, event }
    }
  }

  /** The spans and events that are not replaced. */
  get parts(): StoredPart[] {
    return [...this.#spans.values(), ...this.#events.values()].map(({ part }) => part)
  }

  /** Only events have arrived. */
  get isEmpty(): boolean {
    return this.#spans.size === 0
  }

  get count(): number {
    return this.#spans.size + this.#events.size
  }

  get bytes(): number {
    let sum = 0
    for (const { bytes } of this.#spans.values()) sum += bytes
    for (const { bytes } of this.#events.values()) sum += bytes
    return sum
  }

  get itemIds(): string[] {
    return [...this.#itemIds]
  }

  /** The items whose parts were all replaced. */
  get superseded(): string[] {
    const live = new Set([...this.#spans.values(), ...this.#events.values()].map(({ itemId }) => itemId))
    return this.itemIds.filter((itemId) => !live.has(itemId))
  }
}

function byTime(a: SpanEvent, b: SpanEvent): number {
  return a.timeMs - b.timeMs
}
