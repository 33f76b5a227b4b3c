import {
  CairnError,
  type CreateTrace,
  type Span,
  type SpanEvent,
  type SpanEventInput,
  type SpanInput,
  type TokenUsage,
  type Trace,
} from '@cairn/contract'
import { newId } from '../../lib/ids.ts'
import { parseStoredBytes, parseStoredJson } from '../../lib/json/stored.ts'
import { parseIso, toIso } from '../../lib/time.ts'
import { createPacer } from '../../lib/turns.ts'

/** A trace as stored: without its scores, which are in another table. */
export type TraceRecord = Omit<Trace, 'scores'>

function parseInstant(value: number | string | null | undefined, field: string): number | null {
  if (value == null) return null
  if (typeof value === 'number') return value
  const ms = parseIso(value)
  if (ms === undefined) {
    throw new CairnError('invalid_request', `${field} must be epoch milliseconds or an ISO 8601 date-time`)
  }
  return ms
}

/** Removes fields with null or undefined, because many clients send null for a missing value. */
function present(object: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value != null))
}

function toSpan(span: SpanInput, index: number): Span {
  const { name, start, end, start_ms, end_ms, attributes, token_usage, events, ...others } = span
  const field = `spans[${index}]`
  const startMs = parseInstant(start ?? start_ms, `${field}.start`)
  const endMs = parseInstant(end ?? end_ms, `${field}.end`)
  if (startMs !== null && endMs !== null && endMs < startMs) {
    throw new CairnError('invalid_request', `${field}.end must not be before its start`)
  }
  return {
    name,
    start_ms: startMs,
    end_ms: endMs,
    attributes: attributes ?? {},
    ...present(others),
    ...(token_usage && { token_usage: toTokenUsage(token_usage, `${field}.token_usage`) }),
    ...(events && { events: events.map((event, at) => toEvent(event, `${field}.events[${at}]`)) }),
  }
}

function toEvent({ name, time, time_ms, attributes, ...others }: SpanEventInput, field: string): SpanEvent {
  const timeMs = parseInstant(time ?? time_ms, `${field}.time`)
  return { name, time_ms: timeMs, attributes: attributes ?? {}, ...present(others) }
}

/** Keeps only numbers, also of keys that the contract does not name. */
function toTokenUsage(usage: TokenUsage, field: string): TokenUsage {
  const numbers = Object.entries(usage).filter(([, value]) => typeof value === 'number')
  const [unbounded] = numbers.find(([, value]) => !Number.isFinite(value)) ?? []
  if (unbounded !== undefined) {
    throw new CairnError('invalid_request', `${field}.${unbounded.slice(0, 100)} must be a finite number`)
  }
  return Object.fromEntries(numbers)
}

/** In USD: the `cost` of the request, else the sum of its `cost_breakdown`; null if it has neither. */
function toCost(request: CreateTrace): number | null {
  if (request.cost != null) return request.cost
  const { llm, embedding, reranking } = request.cost_breakdown ?? {}
  if (llm == null && embedding == null && reranking == null) return null
  return (llm ?? 0) + (embedding ?? 0) + (reranking ?? 0)
}

function toCreatedAt(text: string | null | undefined, now: number): string {
  if (text == null) return toIso(now)
  const ms = parseIso(text)
  if (ms === undefined) throw new CairnError('invalid_request', 'created_at must be an ISO 8601 date-time')
  return toIso(ms)
}

/**
 * Converts a validated request to the stored form. Keep the order of the keys: `stored-json.ts` finds fields by their
 * order in the stored bytes. Before `metadata`, no field may contain an object of the client; therefore `token_usage`
 * keeps only numbers.
 *
 * @throws `invalid_request` with the name of the field
 */
export function toRecord(request: CreateTrace, now = Date.now()): TraceRecord {
  const cost = toCost(request)
  return {
    trace_id: newId('trc_', now),
    ...(request.name != null && { name: request.name }),
    input: request.input,
    output: request.output,
    model: request.model ?? null,
    latency_ms: request.latency_ms ?? null,
    status: request.status ?? 'success',
    tags: request.tags ?? [],
    token_usage: request.token_usage ? toTokenUsage(request.token_usage, 'token_usage') : null,
    cost,
    created_at: toCreatedAt(request.created_at, now),
    metadata: request.metadata ?? {},
    custom_attributes: request.custom_attributes ?? {},
    version: request.version ?? null,
    session_id: request.session_id ?? null,
    user_id: request.user_id ?? null,
    environment: request.environment ?? null,
    cost_source: cost === null ? null : 'client',
    cost_breakdown: request.cost_breakdown ?? null,
    tool_calls: request.tool_calls ?? [],
    spans: (request.spans ?? []).map(toSpan),
    error: request.error ?? null,
  }
}

/** `toRecord` with pauses, for requests of many spans. */
export async function toLargeRecord({ spans, ...fields }: CreateTrace): Promise<TraceRecord> {
  const record = toRecord(fields)
  const pace = createPacer()
  for (const [index, span] of (spans ?? []).entries()) {
    record.spans.push(toSpan(span, index))
    await pace()
  }
  return record
}

/**
 * Encodes a record for storage without pauses, for commands such as imports. Requests use `encodeJson`, which pauses for
 * large records and returns the same bytes.
 *
 * @throws `invalid_request` for a trace with thousands of nested levels, which `JSON.stringify` cannot write
 */
export function encodeRecord(record: TraceRecord): Buffer {
  try {
    return Buffer.from(JSON.stringify(record))
  } catch (error) {
    throw new CairnError('invalid_request', 'the trace nests too deeply', { cause: error })
  }
}

/** Decodes a stored trace. The cost comes from the columns, because it may be computed after the body is stored. */
export function decodeStored(stored: StoredBody): TraceRecord {
  return { ...decodeRecord(stored.body), cost: stored.cost, cost_source: stored.cost_source }
}

/** The columns of a stored trace. `body` contains only the cost that the client sent. */
export interface StoredBody {
  body: Uint8Array
  cost: number | null
  cost_source: TraceRecord['cost_source']
}

/** Decodes a body. The cost is the one that the client sent, not the current one. */
export function decodeRecord(body: Uint8Array): TraceRecord {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return parseStoredJson(bytes.toString('utf8')) as TraceRecord
}

/** Like `decodeRecord`, but a large record is parsed with pauses, so that other requests continue. */
export async function decodeInTurns(body: Uint8Array): Promise<TraceRecord> {
  return (await parseStoredBytes(body)) as TraceRecord
}
