import { type Static, Type } from 'typebox'
import { Timestamp } from './common.ts'
import { TraceFilters } from './traces.ts'

export const MetricsQuery = TraceFilters
export type MetricsQuery = Static<typeof MetricsQuery>

export const Metrics = Type.Object({
  total_queries: Type.Integer(),
  successful: Type.Integer(),
  failed: Type.Integer(),
  avg_response_time_ms: Type.Number({
    description: 'over the traces that carry a latency; 0 when none does',
  }),
  total_cost: Type.Number({ description: 'USD' }),
  avg_cost_per_query: Type.Number({ description: 'total_cost / total_queries, USD' }),
  period_start: Timestamp,
  period_end: Timestamp,
})
export type Metrics = Static<typeof Metrics>

export const exportFormats = ['csv', 'json', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const ExportQuery = Type.Object({
  ...TraceFilters.properties,
  format: Type.Optional(Type.Enum(exportFormats, { default: 'json' })),
})
export type ExportQuery = Static<typeof ExportQuery>
