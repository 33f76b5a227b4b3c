import { type Static, Type } from 'typebox'
import { Timestamp } from './common.ts'
import { limits } from './limits.ts'

export const usageGroups = ['project', 'chat', 'app', 'user', 'model', 'purpose', 'day'] as const
export type UsageGroup = (typeof usageGroups)[number]

/** Why a model was called. */
export const usagePurposes = ['answer', 'judge', 'rerank', 'rewrite'] as const
export type UsagePurpose = (typeof usagePurposes)[number]

const Filter = Type.Optional(Type.String())

export const ProjectUsageQuery = Type.Object({
  group_by: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description: `one or more, repeated or comma-separated: ${usageGroups.join(', ')}; if left out, one row for all`,
    }),
  ),
  start_date: Type.Optional(Type.String({ description: 'ISO 8601; the whole day (UTC) is included' })),
  end_date: Type.Optional(
    Type.String({ description: 'ISO 8601, exclusive; a day that has begun is included' }),
  ),
  chat_id: Filter,
  app_id: Filter,
  user_id: Filter,
  model: Filter,
  purpose: Type.Optional(Type.Enum(usagePurposes)),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.usageRowsMax, default: limits.listMax, description: 'rows' }),
  ),
})
export type ProjectUsageQuery = Static<typeof ProjectUsageQuery>

export const UsageQuery = Type.Object({ ...ProjectUsageQuery.properties, project_id: Filter })
export type UsageQuery = Static<typeof UsageQuery>

const sums = {
  answers: Type.Integer({ description: 'answers, scores and rankings' }),
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
  credits: Type.Number(),
  cost: Type.Number({ description: 'USD of the answers that have a price' }),
  unpriced: Type.Integer({ description: 'answers of models without a price' }),
}
const IdOrNull = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const UsageRow = Type.Object(
  {
    project_id: Type.Optional(Type.String()),
    chat_id: IdOrNull,
    app_id: IdOrNull,
    user_id: IdOrNull,
    model: Type.Optional(Type.String()),
    purpose: Type.Optional(Type.Enum(usagePurposes)),
    day: Type.Optional(Type.String({ format: 'date' })),
    ...sums,
  },
  { description: 'has the fields of group_by; null means that the usage belongs to none' },
)
export type UsageRow = Static<typeof UsageRow>

export const UsageReport = Type.Object({
  period_start: Timestamp,
  period_end: Timestamp,
  group_by: Type.Array(Type.Enum(usageGroups)),
  rows: Type.Array(UsageRow, { description: 'oldest day first, then most credits first' }),
  total: Type.Object(sums),
  truncated: Type.Boolean({ description: 'true if there are more rows than `limit`' }),
})
export type UsageReport = Static<typeof UsageReport>
