import { type Static, Type } from 'typebox'
import { absent, body, LongPageQuery, PageQuery, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { SuiteRun } from './runs.ts'

export const VersionText = Type.String({
  description: 'semantic version (semver 2.0), unique in the project',
})

/** The configuration with which an application calls a model. */
export const VersionConfigInput = body({
  model: absent(Type.String({ minLength: 1, maxLength: 200 })),
  prompt: absent(Type.String()),
  temperature: absent(Type.Number({ minimum: 0, maximum: 2 })),
  max_tokens: absent(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
})

/** The stored configuration: only the fields that were set. */
export const VersionConfig = Type.Object({
  model: Type.Optional(Type.String()),
  prompt: Type.Optional(Type.String()),
  temperature: Type.Optional(Type.Number()),
  max_tokens: Type.Optional(Type.Integer()),
})
export type VersionConfig = Static<typeof VersionConfig>

export const CreateVersion = body({
  version: Type.String({ ...VersionText, minLength: 1, maxLength: limits.versionLength }),
  description: absent(Type.String({ maxLength: limits.descriptionLength })),
  config: absent(VersionConfigInput),
})
export type CreateVersion = Static<typeof CreateVersion>

export const CreatedVersion = Type.Object({
  version_id: Type.String(),
  version: VersionText,
  created_at: Timestamp,
})
export type CreatedVersion = Static<typeof CreatedVersion>

export const VersionSummary = Type.Object({
  version_id: Type.String(),
  version: VersionText,
  description: Type.Union([Type.String(), Type.Null()]),
  is_active: Type.Boolean({ description: 'exactly one version of a project is active, once versions exist' }),
  created_at: Timestamp,
})
export type VersionSummary = Static<typeof VersionSummary>

const averages = {
  avg_latency_ms: Type.Number({ description: 'over the traces that have a latency; 0 if none has' }),
  avg_cost: Type.Number({ description: 'USD, over the traces that have a cost; 0 if none has' }),
}

export const Version = Type.Object({
  ...VersionSummary.properties,
  config: Type.Union([VersionConfig, Type.Null()]),
  trace_count: Type.Integer({ description: 'all traces of this version' }),
  ...averages,
})
export type Version = Static<typeof Version>

export const RolledBackVersion = Type.Object({
  version_id: Type.String(),
  version: VersionText,
  is_active: Type.Literal(true),
  rolled_back_at: Timestamp,
})
export type RolledBackVersion = Static<typeof RolledBackVersion>

export const CompareVersionsQuery = Type.Object({
  a: Type.String({ minLength: 1, description: 'version_id of the first version' }),
  b: Type.String({ minLength: 1, description: 'version_id of the second version' }),
})
export type CompareVersionsQuery = Static<typeof CompareVersionsQuery>

export const ComparedVersion = Type.Object({
  version_id: Type.String(),
  version: VersionText,
  ...averages,
  total_traces: Type.Integer(),
  error_rate: Type.Number({ description: 'from 0 to 1' }),
})
export type ComparedVersion = Static<typeof ComparedVersion>

const Change = Type.Number({ description: 'change from a to b in percent; 100 if a is 0 and b is not' })

const SuiteRunOrNull = Type.Union([SuiteRun, Type.Null()])
export const SuiteOfVersions = Type.Object({
  suite_id: Type.String(),
  name: Type.String(),
  a: SuiteRunOrNull,
  b: SuiteRunOrNull,
})
export type SuiteOfVersions = Static<typeof SuiteOfVersions>

export const VersionComparison = Type.Object({
  version_a: ComparedVersion,
  version_b: ComparedVersion,
  diff: Type.Object({ latency_change_pct: Change, cost_change_pct: Change, error_rate_change_pct: Change }),
  suites: Type.Optional(
    Type.Array(SuiteOfVersions, {
      description: 'the last completed run of each suite for each version; left out if there is none',
    }),
  ),
})
export type VersionComparison = Static<typeof VersionComparison>

export const ActivationAction = Type.Enum(['publish', 'rollback'])
export type ActivationAction = Static<typeof ActivationAction>

export const VersionActivation = Type.Object({
  activation_id: Type.String(),
  version_id: Type.String(),
  version: VersionText,
  action: ActivationAction,
  activated_at: Timestamp,
})
export type VersionActivation = Static<typeof VersionActivation>

export const ListVersionsQuery = LongPageQuery
export type ListVersionsQuery = Static<typeof ListVersionsQuery>

export const VersionHistoryQuery = PageQuery
export type VersionHistoryQuery = Static<typeof VersionHistoryQuery>

export const VersionParams = Type.Object({ project_id: Type.String(), version_id: Type.String() })
