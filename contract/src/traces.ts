import { type Static, Type } from 'typebox'
import { absent, body, JsonObject, PageQuery, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { StoredScore } from './scores.ts'

/** The maximum keeps sums finite: a database fails if a sum overflows, and JSON has no infinity. */
const Milliseconds = Type.Number({ minimum: 0, maximum: limits.largestAmount })
const Usd = Type.Number({ minimum: 0, maximum: limits.largestAmount })
/** Epoch milliseconds, or an ISO 8601 string. */
const Instant = Type.Union([Type.Number(), Type.String()])

export const TraceStatus = Type.Enum(['success', 'error'])
export type TraceStatus = Static<typeof TraceStatus>

export const spanKinds = ['chain', 'retrieval', 'tool', 'agent', 'llm', 'embedding'] as const

const Tokens = Type.Number({ minimum: 0, maximum: limits.largestAmount })

/** Other keys are kept if their values are numbers. */
export const TokenUsage = Type.Object(
  {
    prompt_tokens: absent(Tokens),
    completion_tokens: absent(Tokens),
    total_tokens: absent(Tokens),
  },
  { additionalProperties: true },
)
export type TokenUsage = Static<typeof TokenUsage>

/** An event of a span as sent: `time` or `time_ms`. Unknown keys are kept. */
export const SpanEventInput = body({
  name: Type.String(),
  time: absent(Instant),
  time_ms: absent(Type.Number()),
  attributes: absent(JsonObject),
})
export type SpanEventInput = Static<typeof SpanEventInput>

const spanText = 'any JSON value; messages as a list of {role, content}'

/** A span as sent: `start`/`end` or `start_ms`/`end_ms`. Unknown keys are kept. */
export const SpanInput = body({
  name: Type.String(),
  start: absent(Instant),
  end: absent(Instant),
  start_ms: absent(Type.Number()),
  end_ms: absent(Type.Number()),
  attributes: absent(JsonObject),
  span_id: absent(Type.String()),
  parent_id: absent(Type.String()),
  kind: absent(Type.Enum(spanKinds)),
  status: absent(Type.String({ description: '`error` marks a failed span' })),
  error: absent(Type.String()),
  input: Type.Optional(Type.Unknown({ description: spanText })),
  output: Type.Optional(Type.Unknown({ description: spanText })),
  model: absent(Type.String()),
  token_usage: absent(TokenUsage),
  cost: absent(Usd),
  events: absent(Type.Array(SpanEventInput)),
})
export type SpanInput = Static<typeof SpanInput>

const EpochMs = Type.Union([Type.Number(), Type.Null()], { description: 'epoch milliseconds' })

export const SpanEvent = Type.Object(
  { name: Type.String(), time_ms: EpochMs, attributes: JsonObject },
  { additionalProperties: true },
)
export type SpanEvent = Static<typeof SpanEvent>

export const Span = Type.Object(
  {
    name: Type.String(),
    start_ms: EpochMs,
    end_ms: EpochMs,
    attributes: JsonObject,
    span_id: Type.Optional(Type.String()),
    parent_id: Type.Optional(Type.String()),
    kind: Type.Optional(Type.Enum(spanKinds)),
    status: Type.Optional(Type.String()),
    error: Type.Optional(Type.String()),
    input: Type.Optional(Type.Unknown({ description: spanText })),
    output: Type.Optional(Type.Unknown({ description: spanText })),
    model: Type.Optional(Type.String()),
    token_usage: Type.Optional(TokenUsage),
    cost: Type.Optional(Type.Number({ description: 'USD, as sent by the client' })),
    events: Type.Optional(Type.Array(SpanEvent)),
  },
  { additionalProperties: true, description: 'fields that the client has not sent are left out' },
)
export type Span = Static<typeof Span>

export const CostBreakdown = Type.Object({ llm: absent(Usd), embedding: absent(Usd), reranking: absent(Usd) })
export type CostBreakdown = Static<typeof CostBreakdown>

export const CreateTrace = body({
  name: absent(Type.String({ description: 'what the call does, for example the name of the agent' })),
  input: Type.String(),
  output: Type.String(),
  model: absent(Type.String()),
  latency_ms: absent(Milliseconds),
  tags: absent(Type.Array(Type.String(), { maxItems: limits.tagsPerTrace })),
  token_usage: absent(TokenUsage),
  metadata: absent(JsonObject),
  custom_attributes: absent(JsonObject),
  version: absent(Type.String()),
  session_id: absent(Type.String()),
  user_id: absent(Type.String()),
  environment: absent(Type.String()),
  spans: absent(Type.Array(SpanInput)),
  cost: absent(Usd),
  cost_breakdown: absent(CostBreakdown),
  tool_calls: absent(Type.Array(JsonObject)),
  status: absent(TraceStatus),
  error: absent(Type.String()),
  created_at: absent(Type.String({ description: 'ISO 8601; set it to record older traces' })),
})
export type CreateTrace = Static<typeof CreateTrace>

export const CreatedTrace = Type.Object({ trace_id: Type.String(), status: Type.Literal('created') })
export type CreatedTrace = Static<typeof CreatedTrace>

/** Items are checked one by one, so an invalid item does not reject the others. */
export const CreateTraceBatch = body({
  traces: Type.Array(Type.Unknown(), { minItems: 1, maxItems: limits.tracesPerBatch }),
})
export type CreateTraceBatch = Static<typeof CreateTraceBatch>

export const TraceBatchItem = Type.Union([
  Type.Object({ index: Type.Integer(), trace_id: Type.String(), status: Type.Literal('created') }),
  Type.Object({ index: Type.Integer(), error: Type.String() }),
])
export type TraceBatchItem = Static<typeof TraceBatchItem>

export const CreatedTraceBatch = Type.Object({
  results: Type.Array(TraceBatchItem),
  created: Type.Integer(),
  failed: Type.Integer(),
})
export type CreatedTraceBatch = Static<typeof CreatedTraceBatch>

const StringOrNull = Type.Union([Type.String(), Type.Null()])
const NumberOrNull = Type.Union([Type.Number(), Type.Null()])

export const TraceSummary = Type.Object({
  trace_id: Type.String(),
  name: Type.Optional(Type.String({ description: 'left out of traces without a name' })),
  input: Type.String(),
  output: Type.String(),
  model: StringOrNull,
  latency_ms: NumberOrNull,
  status: TraceStatus,
  tags: Type.Array(Type.String()),
  token_usage: Type.Union([TokenUsage, Type.Null()]),
  cost: NumberOrNull,
  created_at: Timestamp,
})
export type TraceSummary = Static<typeof TraceSummary>

/** A row of a table: long texts are cut, and the fields that a table shows are added. */
export const TracePreview = Type.Object({
  ...TraceSummary.properties,
  version: StringOrNull,
  environment: StringOrNull,
  session_id: StringOrNull,
  user_id: StringOrNull,
  scores: Type.Array(Type.Object({ name: Type.String(), value: Type.Number() }), {
    description: 'the newest score of each name',
  }),
})
export type TracePreview = Static<typeof TracePreview>

export const Trace = Type.Object({
  ...TraceSummary.properties,
  metadata: JsonObject,
  custom_attributes: JsonObject,
  version: StringOrNull,
  session_id: StringOrNull,
  user_id: StringOrNull,
  environment: StringOrNull,
  cost_source: Type.Union([Type.Literal('client'), Type.Literal('computed'), Type.Null()]),
  cost_breakdown: Type.Union([CostBreakdown, Type.Null()]),
  tool_calls: Type.Array(JsonObject),
  spans: Type.Array(Span),
  error: StringOrNull,
  scores: Type.Array(StoredScore),
})
export type Trace = Static<typeof Trace>

const Exact = Type.Optional(Type.String())

/**
 * Filters that lists, summaries, export and deletion share. Two more kinds have variable names:
 * `attr.<key>=<value>` for a custom attribute (dots lead to nested values), and `score.<name>>=0.5` for a score
 * (also `=`, `<=`, `>`, `<`).
 */
export const TraceFilters = Type.Object({
  trace_id: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: limits.tracesPerSelection })], {
      description: 'repeatable; only these traces',
    }),
  ),
  status: Type.Optional(TraceStatus),
  start_date: Type.Optional(Type.String({ description: 'ISO 8601, inclusive' })),
  end_date: Type.Optional(Type.String({ description: 'ISO 8601, exclusive' })),
  name: Exact,
  model: Exact,
  version: Exact,
  environment: Exact,
  session_id: Exact,
  user_id: Exact,
  tag: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 20 })], {
      description: 'repeatable; a trace must have all of them',
    }),
  ),
  min_latency_ms: Type.Optional(Type.Number({ description: 'inclusive' })),
  max_latency_ms: Type.Optional(Type.Number({ description: 'inclusive' })),
  min_cost: Type.Optional(Type.Number({ description: 'USD, inclusive' })),
  max_cost: Type.Optional(Type.Number({ description: 'USD, inclusive' })),
  q: Type.Optional(Type.String({ description: 'text in input or output; case is ignored', maxLength: 1000 })),
})
export type TraceFilters = Static<typeof TraceFilters>

export const traceViews = ['summary', 'preview'] as const

export const traceSorts = ['time', 'latency', 'cost', 'tokens'] as const
export type TraceSort = (typeof traceSorts)[number]

export const ListTracesQuery = Type.Object({
  ...TraceFilters.properties,
  sort_by: Type.Optional(
    Type.Enum(traceSorts, {
      default: 'time',
      description:
        'Traces without the value are last. Sorting by another value than time reads all traces that match the filters',
    }),
  ),
  order: Type.Optional(Type.Enum(['desc', 'asc'], { default: 'desc' })),
  view: Type.Optional(
    Type.Enum(traceViews, {
      default: 'summary',
      description:
        'preview: input and output have at most 300 characters; of a JSON conversation, its last user message and its answer',
    }),
  ),
  ...PageQuery.properties,
})
export type ListTracesQuery = Static<typeof ListTracesQuery>

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description: 'a repeated request with the same key and body within 24 hours gets the first response',
    }),
  ),
})

export const DeletedTraces = Type.Object({ success: Type.Literal(true), deleted: Type.Integer() })
export type DeletedTraces = Static<typeof DeletedTraces>

/** Changes the tags of stored traces. A tag that is both added and removed is added. */
export const TagTraces = body({
  trace_ids: Type.Array(Type.String(), { minItems: 1, maxItems: limits.tracesPerSelection }),
  add: absent(Type.Array(Type.String({ minLength: 1 }), { maxItems: limits.tagsPerChange })),
  remove: absent(Type.Array(Type.String(), { maxItems: limits.tagsPerChange })),
})
export type TagTraces = Static<typeof TagTraces>

export const TaggedTraces = Type.Object({
  changed: Type.Integer({ description: 'traces whose tags are different now; unknown ids are ignored' }),
})
export type TaggedTraces = Static<typeof TaggedTraces>

/** Selects the traces to price again; without any field all traces of the project. */
export const RepriceTraces = body({
  start_date: absent(Type.String({ description: 'ISO 8601, inclusive' })),
  end_date: absent(Type.String({ description: 'ISO 8601, exclusive' })),
  model: absent(Type.String()),
})
export type RepriceTraces = Static<typeof RepriceTraces>

export const RepricedTraces = Type.Object({
  examined: Type.Integer(),
  changed: Type.Integer(),
  total_before: Type.Number({ description: 'cost of the examined traces, USD' }),
  total_after: Type.Number({ description: 'USD' }),
})
export type RepricedTraces = Static<typeof RepricedTraces>

export const TraceParams = Type.Object({ project_id: Type.String(), trace_id: Type.String() })
