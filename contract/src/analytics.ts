import { type Static, Type } from 'typebox'
import { PageQuery, Timestamp } from './common.ts'
import { TraceFilters, TraceSummary } from './traces.ts'

const Usd = Type.Number({ description: 'USD' })
const Milliseconds = Type.Number({ description: 'milliseconds; 0 if no trace has a latency' })
const Unpriced = Type.Integer({ description: 'traces without a cost, which total_cost does not include' })
const period = { period_start: Timestamp, period_end: Timestamp }

export const SummaryQuery = TraceFilters
export type SummaryQuery = Static<typeof SummaryQuery>

export const Metrics = Type.Object({
  total_queries: Type.Integer(),
  successful: Type.Integer(),
  failed: Type.Integer(),
  avg_response_time_ms: Type.Number({
    description: 'over the traces that have a latency; 0 if none has',
  }),
  total_cost: Usd,
  avg_cost_per_query: Type.Number({ description: 'total_cost / total_queries, USD' }),
  unpriced_traces: Unpriced,
  ...period,
})
export type Metrics = Static<typeof Metrics>

export const Costs = Type.Object({
  total_cost: Usd,
  llm_cost: Usd,
  embedding_cost: Usd,
  reranking_cost: Usd,
  unpriced_traces: Unpriced,
  currency: Type.Literal('USD'),
  ...period,
})
export type Costs = Static<typeof Costs>

export const Performance = Type.Object({
  p50_latency_ms: Milliseconds,
  p95_latency_ms: Milliseconds,
  p99_latency_ms: Milliseconds,
  avg_latency_ms: Milliseconds,
  total_traces: Type.Integer(),
  ...period,
})
export type Performance = Static<typeof Performance>

export const seriesMetrics = [
  'traces',
  'errors',
  'error_rate',
  'avg_latency_ms',
  'p50_latency_ms',
  'p95_latency_ms',
  'p99_latency_ms',
  'total_cost',
  'avg_cost',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
] as const
export type SeriesMetric = (typeof seriesMetrics)[number]

export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

const IntervalParameter = Type.Optional(
  Type.Enum(intervals, { description: 'in UTC, weeks begin on Monday; the default fits the period' }),
)

export const TimeseriesQuery = Type.Object({
  ...TraceFilters.properties,
  metric: Type.Optional(Type.Enum(seriesMetrics, { default: 'traces' })),
  interval: IntervalParameter,
  group_by: Type.Optional(
    Type.String({ description: 'model, version, status, environment, user_id, tag or attr.<key>' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'number of groups, largest first' }),
  ),
})
export type TimeseriesQuery = Static<typeof TimeseriesQuery>

export const Timeseries = Type.Object({
  metric: Type.Enum(seriesMetrics),
  interval: Type.Enum(intervals),
  group_by: Type.Union([Type.String(), Type.Null()]),
  ...period,
  series: Type.Array(
    Type.Object({
      group: Type.Union([Type.String(), Type.Null()], { description: 'null without group_by' }),
      points: Type.Array(Type.Object({ timestamp: Timestamp, value: Type.Number() })),
    }),
  ),
})
export type Timeseries = Static<typeof Timeseries>

export const BreakdownQuery = Type.Object({
  ...TraceFilters.properties,
  group_by: Type.String({ description: 'model, version, status, environment, user_id, tag or attr.<key>' }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'number of groups, largest first' }),
  ),
})
export type BreakdownQuery = Static<typeof BreakdownQuery>

export const BreakdownGroup = Type.Object({
  group: Type.String(),
  traces: Type.Integer(),
  errors: Type.Integer(),
  error_rate: Type.Number({ description: 'from 0 to 1' }),
  avg_latency_ms: Milliseconds,
  p50_latency_ms: Milliseconds,
  p95_latency_ms: Milliseconds,
  p99_latency_ms: Milliseconds,
  total_cost: Usd,
  avg_cost: Type.Number({ description: 'USD, over the traces that have a cost; 0 if none has' }),
  unpriced_traces: Unpriced,
  prompt_tokens: Type.Number(),
  completion_tokens: Type.Number(),
  total_tokens: Type.Number(),
})
export type BreakdownGroup = Static<typeof BreakdownGroup>

export const Breakdown = Type.Object({
  group_by: Type.String(),
  ...period,
  groups: Type.Array(BreakdownGroup, {
    description: 'a trace without the value is in no group; a trace with several tags is in several groups',
  }),
})
export type Breakdown = Static<typeof Breakdown>

export const ScoreAveragesQuery = Type.Object({
  ...TraceFilters.properties,
  name: Type.Optional(Type.String({ description: 'name of the score' })),
  interval: IntervalParameter,
})
export type ScoreAveragesQuery = Static<typeof ScoreAveragesQuery>

const Average = {
  count: Type.Integer(),
  average: Type.Number(),
  min: Type.Number(),
  max: Type.Number(),
  histogram: Type.Array(Type.Integer(), {
    description: 'ten counts: scores below 0.1, below 0.2, …, and up to 1 inclusive',
  }),
}

export const ScoreAverages = Type.Object({
  interval: Type.Enum(intervals),
  ...period,
  scores: Type.Array(
    Type.Object({
      name: Type.String(),
      ...Average,
      points: Type.Array(Type.Object({ timestamp: Timestamp, ...Average }), {
        description: 'intervals without a score are left out',
      }),
    }),
  ),
})
export type ScoreAverages = Static<typeof ScoreAverages>

export const Session = Type.Object({
  session_id: Type.String(),
  user_id: Type.Union([Type.String(), Type.Null()], { description: 'user of the newest trace that has one' }),
  trace_count: Type.Integer(),
  error_count: Type.Integer(),
  total_cost: Usd,
  unpriced_count: Unpriced,
  total_tokens: Type.Number(),
  avg_latency_ms: Milliseconds,
  first_trace_at: Timestamp,
  last_trace_at: Timestamp,
})
export type Session = Static<typeof Session>

export const ListSessionsQuery = Type.Object({ ...TraceFilters.properties, ...PageQuery.properties })
export type ListSessionsQuery = Static<typeof ListSessionsQuery>

export const SessionParams = Type.Object({ project_id: Type.String(), session_id: Type.String() })

export const SessionQuery = PageQuery
export type SessionQuery = PageQuery

export const SessionView = Type.Object({
  ...Session.properties,
  traces: Type.Array(TraceSummary, { description: 'oldest first' }),
})
export type SessionView = Static<typeof SessionView>

export const exportFormats = ['csv', 'json', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const ExportQuery = Type.Object({
  ...TraceFilters.properties,
  format: Type.Optional(Type.Enum(exportFormats, { default: 'json' })),
})
export type ExportQuery = Static<typeof ExportQuery>
