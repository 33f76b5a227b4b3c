import type { CreateTrace, SpanInput } from '@cairn/contract'
import type { Context } from './context.ts'
import { toText } from './json.ts'

/** Fields of a trace as in the API. Values of input and output that are no text are recorded as JSON. */
export type TraceFields = Partial<Omit<CreateTrace, 'spans' | 'input' | 'output'>> & {
  input?: unknown
  output?: unknown
}

/** Fields of a span as in the API. */
export type SpanFields = Partial<Omit<SpanInput, 'start' | 'end' | 'span_id' | 'parent_id' | 'events'>>

/** A trace that its spans share until it is sent. */
interface OpenTrace {
  fields: TraceFields
  spans: SpanInput[]
  /** Spans that have not ended. */
  running: number
  characters: number
  sent: boolean
}

export type Emit = (trace: CreateTrace, characters: number) => void

/** Approximate length of a value as JSON. Looks at no more than 10,000 values, also of a value that contains itself. */
function charactersOf(value: unknown): number {
  const rest = [value]
  let sum = 0
  for (let seen = 0; rest.length > 0 && seen < 10_000; seen++) {
    const next = rest.pop()
    sum += typeof next === 'string' ? next.length : 8
    if (typeof next === 'object' && next !== null) for (const each of Object.values(next)) rest.push(each)
  }
  return sum
}

/** Whether a value that a function returned means something as JSON, unlike a stream or a response. */
function isRecordable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return ['string', 'number', 'boolean'].includes(typeof value)
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** One step of a trace, which ends with the function that it was opened for. */
export class ActiveSpan {
  readonly #tracer: Tracer
  readonly #trace: OpenTrace
  readonly #fields: SpanInput
  readonly #isRoot: boolean

  constructor(tracer: Tracer, name: string, parent?: ActiveSpan) {
    this.#tracer = tracer
    this.#trace = parent ? parent.#trace : { fields: {}, spans: [], running: 0, characters: 0, sent: false }
    this.#isRoot = parent === undefined
    this.#fields = {
      name,
      span_id: String(this.#trace.spans.length + 1),
      start_ms: performance.timeOrigin + performance.now(),
      ...(parent && { parent_id: parent.#fields.span_id }),
    }
    this.#trace.spans.push(this.#fields)
    this.#trace.running++
  }

  /** Sets fields of this span. Later values replace earlier ones. */
  set(fields: SpanFields): this {
    Object.assign(this.#fields, fields)
    return this
  }

  /** Sets fields of the whole trace: session, user, tags, metadata … */
  setTrace(fields: TraceFields): this {
    Object.assign(this.#trace.fields, fields)
    return this
  }

  /** Records a moment within this span. */
  event(name: string, attributes: Record<string, unknown> = {}): this {
    this.#fields.events ??= []
    this.#fields.events.push({ name, time_ms: performance.timeOrigin + performance.now(), attributes })
    return this
  }

  /** Runs `fn` as a step below this one; for runtimes without AsyncLocalStorage. */
  span<R>(name: string, fn: (span: ActiveSpan) => R): R {
    return this.#tracer.run(new ActiveSpan(this.#tracer, name, this), fn)
  }

  /** @internal Whether its trace has been handed over, so that it can have no more spans. */
  get isSent(): boolean {
    return this.#trace.sent
  }

  /** @internal */
  fail(error: unknown): void {
    this.set({ status: 'error', error: messageOf(error) })
  }

  /** @internal Ends the span. A trace is sent after its root when no span is running. */
  end(output?: unknown): void {
    const fields = this.#fields
    if (fields.end_ms !== undefined) return
    fields.end_ms = performance.timeOrigin + performance.now()
    if (fields.output === undefined && isRecordable(output)) fields.output = output
    this.#trace.running--
    this.#trace.characters += 200 + charactersOf(fields)
    if (this.#isRoot) this.#tracer.ended(this.#trace)
    if (this.#trace.running === 0) this.#tracer.complete(this.#trace)
  }
}

/** Ids of the spans that have a span with tokens below them. They may repeat its tokens. */
function aboveTokens(spans: readonly SpanInput[]): Set<string> {
  const above = new Set<string>()
  const parents = new Map(spans.map(({ span_id, parent_id }) => [span_id, parent_id]))
  for (const { token_usage, parent_id } of spans) {
    let parent = token_usage == null ? undefined : parent_id
    for (; parent != null && !above.has(parent); parent = parents.get(parent)) above.add(parent)
  }
  return above
}

/** Tokens of all model calls, each counted once, and the model with the most tokens. */
function totalOf(spans: readonly SpanInput[]): Pick<TraceFields, 'model' | 'token_usage'> {
  const above = aboveTokens(spans)
  const calls = spans.filter(({ span_id, model }) => model != null && !above.has(span_id ?? ''))
  const sum: Record<string, number> = {}
  let most = { model: calls[0]?.model, tokens: -1 }
  for (const { model, token_usage } of calls) {
    for (const [key, count] of Object.entries(token_usage ?? {})) {
      if (typeof count === 'number') sum[key] = (sum[key] ?? 0) + count
    }
    const tokens = (token_usage?.prompt_tokens ?? 0) + (token_usage?.completion_tokens ?? 0)
    if (tokens > most.tokens) most = { model, tokens }
  }
  return calls.length === 0
    ? {}
    : { model: most.model ?? null, ...(Object.keys(sum).length > 0 && { token_usage: sum }) }
}

function toBody({ fields, spans }: OpenTrace): CreateTrace {
  const root = spans[0] as SpanInput
  return {
    name: root.name,
    ...totalOf(spans),
    latency_ms: (root.end_ms ?? 0) - (root.start_ms ?? 0),
    created_at: new Date(root.start_ms ?? 0).toISOString(),
    ...(root.status === 'error' && { status: 'error', error: root.error ?? null }),
    ...fields,
    input: toText(fields.input ?? root.input),
    output: toText(fields.output ?? root.output),
    spans,
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

/** Opens spans, and emits each trace once it is complete. */
export class Tracer {
  readonly #context: Context<ActiveSpan>
  readonly #emit: Emit
  /** Traces whose root has ended while a span, such as a stream, is still running. */
  readonly #unfinished = new Set<OpenTrace>()

  constructor(context: Context<ActiveSpan>, emit: Emit) {
    this.#context = context
    this.#emit = emit
  }

  /** A new span below the current one, or the root of a new trace. */
  open(name: string): ActiveSpan {
    const current = this.#context.current()
    return new ActiveSpan(this, name, current?.isSent ? undefined : current)
  }

  /** Runs `fn` with the span as the current one. The span ends with `fn`, or with the promise that it returns. */
  run<R>(span: ActiveSpan, fn: (span: ActiveSpan) => R): R {
    let result: R
    try {
      result = this.#context.run(span, () => fn(span))
    } catch (error) {
      span.fail(error)
      span.end()
      throw error
    }
    if (!isPromise(result)) {
      span.end(result)
      return result
    }
    return result.then(
      (value) => {
        span.end(value)
        return value
      },
      (error: unknown) => {
        span.fail(error)
        span.end()
        throw error
      },
    ) as R
  }

  /** @internal */
  ended(trace: OpenTrace): void {
    this.#unfinished.add(trace)
  }

  /** @internal */
  complete(trace: OpenTrace): void {
    if (!this.#unfinished.delete(trace)) return
    trace.sent = true
    this.#emit(toBody(trace), trace.characters)
  }

  /** Emits the traces whose root has ended, without waiting for their other spans. */
  completeAll(): void {
    for (const trace of this.#unfinished) this.complete(trace)
  }
}
