import { type Static, Type } from 'typebox'
import { absent, body, idOf, Name, PageQuery, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { JudgeMethod } from './scorers.ts'
import { Assertion, Target, TargetInput } from './testing.ts'

const StringOrNull = Type.Union([Type.String(), Type.Null()])
const NumberOrNull = Type.Union([Type.Number(), Type.Null()])
const Notes = Type.String({ maxLength: limits.descriptionLength })
const Share = Type.Number({ minimum: 0, maximum: 1 })

export const RunStatus = Type.Enum(['running', 'completed', 'failed', 'cancelled'])
export type RunStatus = Static<typeof RunStatus>

/** All fields are optional; defaults come from the suite and the project. */
export const StartRun = body({
  name: absent(Name),
  notes: absent(Notes),
  version_id: absent(idOf('version whose configuration the run applies')),
  target: absent(TargetInput),
  concurrency: absent(
    Type.Integer({ minimum: 1, maximum: limits.runConcurrency, description: 'cases at a time' }),
  ),
  timeout_ms: absent(
    Type.Integer({
      minimum: 100,
      maximum: limits.caseMs,
      description: 'time limit of the target for one case',
    }),
  ),
})
export type StartRun = Static<typeof StartRun>

export const StartedRun = Type.Object({
  run_id: Type.String(),
  suite_id: Type.String(),
  status: RunStatus,
  started_at: Timestamp,
})
export type StartedRun = Static<typeof StartedRun>

const counts = {
  passed: Type.Integer(),
  failed: Type.Integer(),
  total: Type.Integer({ description: 'all cases of the run' }),
  pass_rate: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'share of the finished cases that passed; 0 if none has finished',
  }),
}

export const Run = Type.Object({
  ...StartedRun.properties,
  name: StringOrNull,
  notes: StringOrNull,
  completed_at: Type.Union([Timestamp, Type.Null()]),
  ...counts,
  errors: Type.Integer({ description: 'failed cases whose target did not answer' }),
  avg_latency_ms: Type.Number(),
  total_cost: Type.Number({ description: 'USD of the calls with a known cost' }),
  judge_cost: Type.Number({ description: 'USD of scoring; not included in total_cost' }),
  target: Target,
  version_id: StringOrNull,
  version: StringOrNull,
  concurrency: Type.Integer(),
  timeout_ms: Type.Integer(),
  error: Type.Union([Type.String(), Type.Null()], { description: 'why the run could not be carried out' }),
})
export type Run = Static<typeof Run>

export const UpdateRun = body({ name: absent(Name), notes: absent(Notes) })
export type UpdateRun = Static<typeof UpdateRun>

export const ListRunsQuery = Type.Object({
  suite_id: Type.Optional(Type.String()),
  version_id: Type.Optional(Type.String()),
  status: Type.Optional(RunStatus),
  ...PageQuery.properties,
})
export type ListRunsQuery = Static<typeof ListRunsQuery>

export const AssertionResult = Type.Object({
  ...Assertion.properties,
  passed: Type.Boolean(),
  score: Type.Optional(Type.Number({ description: '0 to 1, for min_score and similar' })),
  reasoning: Type.Optional(Type.String({ description: 'explanation of the scorer' })),
  method: Type.Optional(JudgeMethod),
  message: Type.Optional(Type.String({ description: 'why the assertion failed' })),
})
export type AssertionResult = Static<typeof AssertionResult>

export const Judgement = Type.Object({
  scorer: Type.String(),
  score: NumberOrNull,
  threshold: Share,
  reasoning: Type.String(),
  method: Type.Optional(JudgeMethod),
})
export type Judgement = Static<typeof Judgement>

export const CaseResult = Type.Object({
  case_id: Type.String(),
  query: Type.String(),
  expected_answer: Type.String(),
  category: StringOrNull,
  actual_output: Type.String({ description: 'empty if the target did not answer' }),
  passed: Type.Boolean(),
  latency_ms: Type.Number(),
  cost: Type.Union([Type.Number(), Type.Null()], { description: 'USD; null if unknown' }),
  judge_cost: NumberOrNull,
  assertions: Type.Array(AssertionResult),
  judgement: Type.Union([Judgement, Type.Null()], { description: 'score of a case without assertions' }),
  trace_id: StringOrNull,
  error: Type.Union([Type.String(), Type.Null()], { description: 'why the target did not answer' }),
})
export type CaseResult = Static<typeof CaseResult>

/** `failed`: the target answered, but the case did not pass. `error`: the target did not answer. */
export const resultOutcomes = ['passed', 'failed', 'error'] as const
export type ResultOutcome = (typeof resultOutcomes)[number]

export const RunResultsQuery = Type.Object({
  format: Type.Optional(Type.Enum(['json', 'junit'], { default: 'json' })),
  outcome: Type.Optional(
    Type.Enum(resultOutcomes, {
      description:
        'JSON only: results with this outcome, in pages; error means that the target did not answer',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.listMax,
      description: 'JSON only: page size; without it, `cursor` and `outcome`, all results are returned',
    }),
  ),
  cursor: PageQuery.properties.cursor,
})
export type RunResultsQuery = Static<typeof RunResultsQuery>

export const RunResults = Type.Object({
  ...StartedRun.properties,
  ...counts,
  completed_at: Type.Union([Timestamp, Type.Null()]),
  error: StringOrNull,
  results: Type.Array(CaseResult, { description: 'in the order in which the cases were created' }),
})
export type RunResults = Static<typeof RunResults>

export const CompareRunsQuery = Type.Object({
  a: Type.String({ minLength: 1, description: 'run_id of the first run' }),
  b: Type.String({ minLength: 1, description: 'run_id of the second run' }),
})
export type CompareRunsQuery = Static<typeof CompareRunsQuery>

export const CaseChange = Type.Enum(['improved', 'regressed', 'same', 'only_in_a', 'only_in_b'])
export type CaseChange = Static<typeof CaseChange>

export const ComparedResult = Type.Object({
  passed: Type.Boolean(),
  latency_ms: Type.Number(),
  cost: NumberOrNull,
})
export const ComparedCase = Type.Object({
  case_id: Type.String(),
  query: Type.String(),
  change: CaseChange,
  a: Type.Union([ComparedResult, Type.Null()]),
  b: Type.Union([ComparedResult, Type.Null()]),
})
export type ComparedCase = Static<typeof ComparedCase>

export const RunComparison = Type.Object({
  run_a: Run,
  run_b: Run,
  diff: Type.Object({
    pass_rate_change: Type.Number({ description: 'b - a' }),
    latency_change_pct: Type.Number({
      description: 'change of the average from a to b in percent; 100 if a is 0 and b is not',
    }),
    cost_change_pct: Type.Number({
      description: 'change of the total from a to b in percent; 100 if a is 0 and b is not',
    }),
  }),
  counts: Type.Object({
    improved: Type.Integer({ description: 'failed in a, passed in b' }),
    regressed: Type.Integer({ description: 'passed in a, failed in b' }),
    same: Type.Integer(),
    only_in_a: Type.Integer(),
    only_in_b: Type.Integer(),
  }),
  cases: Type.Array(ComparedCase, { description: 'cases of a in their order, then cases that only b has' }),
})
export type RunComparison = Static<typeof RunComparison>

/** The latest completed run of a suite for a version, for the comparison of versions. */
export const SuiteRun = Type.Object({
  run_id: Type.String(),
  started_at: Timestamp,
  ...counts,
  avg_latency_ms: Type.Number(),
  total_cost: Type.Number(),
})
export type SuiteRun = Static<typeof SuiteRun>

export const RunParams = Type.Object({ project_id: Type.String(), run_id: Type.String() })
