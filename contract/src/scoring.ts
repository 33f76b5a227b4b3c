import { type Static, Type } from 'typebox'
import { absent, body, idOf, JsonObject, Name, PageQuery, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { StoredScore, scoreSources } from './scores.ts'
import { TraceFilters, TraceStatus } from './traces.ts'

const Text = absent(Type.String())
const Figure = absent(Type.Number())

/** The filters of the list of traces as a JSON object, including `attr.<key>` and `score.<name>>=`. */
export const FilterBody = body({
  status: absent(TraceStatus),
  start_date: Text,
  end_date: Text,
  model: Text,
  version: Text,
  environment: Text,
  session_id: Text,
  user_id: Text,
  tag: absent(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 20 })])),
  min_latency_ms: Figure,
  max_latency_ms: Figure,
  min_cost: Figure,
  max_cost: Figure,
  q: absent(Type.String({ maxLength: 1000 })),
})
export type FilterBody = Static<typeof FilterBody>

export const SampleRate = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'share of the traces to score; a hash of the trace id selects them',
})
const UsdSoFar = Type.Number({ description: 'USD of the model calls with a known price' })
const MeanScore = Type.Union([Type.Number(), Type.Null()], { description: 'null if there is no score' })

export const RunScorer = body({
  filter: absent(FilterBody),
  sample_rate: absent(SampleRate),
  limit: absent(
    Type.Integer({
      minimum: 1,
      maximum: 1e9,
      description: 'select only this many traces, newest first; default all',
    }),
  ),
  overwrite: absent(
    Type.Boolean({
      description: 'also score traces that this scorer has already scored; earlier scores are kept',
    }),
  ),
})
export type RunScorer = Static<typeof RunScorer>

export const scoringStates = ['running', 'completed', 'failed', 'cancelled'] as const
export type ScoringState = (typeof scoringStates)[number]

/** A batch of stored traces that a scorer scores in the background. */
export const Scoring = Type.Object({
  scoring_id: Type.String(),
  scorer: Type.String({ description: 'the slug' }),
  state: Type.Enum(scoringStates),
  filter: JsonObject,
  sample_rate: SampleRate,
  limit: Type.Union([Type.Integer(), Type.Null()]),
  overwrite: Type.Boolean(),
  total: Type.Union([Type.Integer(), Type.Null()], {
    description: 'traces selected by filter, sample and limit; null until they are counted',
  }),
  done: Type.Integer({ description: 'traces that got a score' }),
  failed: Type.Integer(),
  skipped: Type.Integer(),
  skipped_reasons: Type.Object({
    already_scored: Type.Integer(),
    no_expected_output: Type.Integer({
      description: 'the scorer needs expected_output, but the trace has none',
    }),
    deleted: Type.Integer({ description: 'traces deleted while the batch ran' }),
  }),
  mean_score: MeanScore,
  cost: UsdSoFar,
  error: Type.Union([Type.String(), Type.Null()], { description: 'why the whole batch failed' }),
  created_at: Timestamp,
  completed_at: Type.Union([Timestamp, Type.Null()]),
})
export type Scoring = Static<typeof Scoring>

export const ListScoringsQuery = Type.Object({
  scorer: Type.Optional(Type.String({ description: 'the slug' })),
  state: Type.Optional(Type.Enum(scoringStates)),
  ...PageQuery.properties,
})
export type ListScoringsQuery = Static<typeof ListScoringsQuery>

export const ScoringParams = Type.Object({ project_id: Type.String(), scoring_id: Type.String() })

export const ScoringFailure = Type.Object({
  trace_id: Type.String(),
  reason: Type.String(),
  failed_at: Timestamp,
})
export type ScoringFailure = Static<typeof ScoringFailure>

const ruleFields = {
  filter: absent(FilterBody),
  sample_rate: absent(SampleRate),
  enabled: absent(Type.Boolean()),
}
const Slug = idOf('a built-in scorer or a scorer of the project', limits.scorerSlugLength)

export const CreateRule = body({ name: Name, scorer: Slug, ...ruleFields })
export type CreateRule = Static<typeof CreateRule>

export const UpdateRule = body({ name: absent(Name), scorer: absent(Slug), ...ruleFields })
export type UpdateRule = Static<typeof UpdateRule>

/** A rule: a scorer that scores traces as they arrive. */
export const Rule = Type.Object({
  rule_id: Type.String(),
  name: Type.String(),
  scorer: Type.String({ description: 'the slug' }),
  filter: JsonObject,
  sample_rate: SampleRate,
  enabled: Type.Boolean(),
  scored: Type.Integer({ description: 'traces that got a score' }),
  failed: Type.Integer(),
  skipped: Type.Integer({ description: 'traces without the expected_output that the scorer needs' }),
  mean_score: MeanScore,
  cost: UsdSoFar,
  last_scored_at: Type.Union([Timestamp, Type.Null()]),
  last_error: Type.Union([Type.String(), Type.Null()], {
    description: 'error of the last trace that failed',
  }),
  last_error_at: Type.Union([Timestamp, Type.Null()]),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Rule = Static<typeof Rule>

export const RuleParams = Type.Object({ project_id: Type.String(), rule_id: Type.String() })

/** The period filters by the time of the score; all other trace filters apply to the trace of the score. */
export const ListScoresQuery = Type.Object({
  ...TraceFilters.properties,
  name: Type.Optional(Type.String()),
  source: Type.Optional(Type.Enum(scoreSources)),
  scorer: Type.Optional(Type.String({ description: 'the slug of the scorer that gave the score' })),
  source_id: Type.Optional(Type.String({ description: 'id of a batch or a rule' })),
  min_value: Type.Optional(Type.Number({ description: 'inclusive' })),
  max_value: Type.Optional(Type.Number({ description: 'inclusive' })),
  ...PageQuery.properties,
})
export type ListScoresQuery = Static<typeof ListScoresQuery>

export const ListedScore = Type.Object({ trace_id: Type.String(), ...StoredScore.properties })
export type ListedScore = Static<typeof ListedScore>
