import type { GivenScore, GivenTrace } from './given.ts'
import type { OtlpSpan, SpanEvent } from './span.ts'

type Span = { span: Omit<OtlpSpan, 'traceId'> }
type Event = { spanId: string; event: SpanEvent }
type Trace = { trace: GivenTrace }
type Score = { score: GivenScore }

/**
 * A stored part of a trace: a span, an event that a log record adds to a span, or a part of an import. The id of the trace is
 * in the key of the row.
 */
export type StoredPart = Span | Event | Trace | Score

interface Kept<T> {
  part: T
  itemId: string
  bytes: number
}

/** The latest version of each span and score, the events that log records add to spans, and the given fields. */
export class SpansOfTrace {
  readonly traceId: string
  readonly #spans = new Map<string, Kept<Span>>()
  readonly #events = new Map<string, Kept<Event>>()
  readonly #traces = new Map<string, Kept<Trace>>()
  readonly #scores = new Map<string, Kept<Score>>()
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
    const share = { itemId, bytes: Math.ceil(bytes / Math.max(1, parts.length)) }
    for (const part of parts) {
      if ('span' in part) this.#spans.set(part.span.spanId, { part, ...share })
      else if ('event' in part)
        this.#events.set(JSON.stringify([part.spanId, part.event]), { part, ...share })
      else if ('score' in part) this.#scores.set(part.score.id, { part, ...share })
      else this.#addTrace({ part, ...share })
    }
  }

  /** The same fields again move to the end, because later fields win. */
  #addTrace(kept: Kept<Trace>): void {
    const key = JSON.stringify(kept.part)
    this.#traces.delete(key)
    this.#traces.set(key, kept)
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

  /** Fields of the trace that are known apart from its spans; undefined if there are none. */
  get given(): GivenTrace | undefined {
    if (this.#traces.size === 0) return undefined
    return Object.assign({}, ...[...this.#traces.values()].map(({ part }) => part.trace))
  }

  /** The given scores. With `items`, only of these items. */
  scores(items?: ReadonlySet<string>): GivenScore[] {
    const kept = [...this.#scores.values()].filter(({ itemId }) => !items || items.has(itemId))
    return kept.map(({ part }) => part.score)
  }

  /** The parts that are not replaced. */
  get parts(): StoredPart[] {
    return this.#kept.map(({ part }) => part)
  }

  get #kept(): Kept<StoredPart>[] {
    const all = [this.#spans, this.#events, this.#traces, this.#scores]
    return all.flatMap((each): Kept<StoredPart>[] => [...each.values()])
  }

  /** Only events and scores have arrived. */
  get isEmpty(): boolean {
    return this.#spans.size === 0 && this.#traces.size === 0
  }

  get count(): number {
    return this.#spans.size + this.#events.size + this.#traces.size + this.#scores.size
  }

  get bytes(): number {
    return this.#kept.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  get itemIds(): string[] {
    return [...this.#itemIds]
  }

  /** The items whose parts were all replaced. */
  get superseded(): string[] {
    const live = new Set(this.#kept.map(({ itemId }) => itemId))
    return this.itemIds.filter((itemId) => !live.has(itemId))
  }
}

function byTime(a: SpanEvent, b: SpanEvent): number {
  return a.timeMs - b.timeMs
}
