import { type Static, Type } from 'typebox'
import { absent, body, idOf, LongPageQuery, Name, Timestamp } from './common.ts'
import { limits } from './limits.ts'

const StringOrNull = Type.Union([Type.String(), Type.Null()])
const Description = Type.String({ maxLength: limits.descriptionLength })
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 })

export const targetTypes = ['default', 'chat', 'model', 'http', 'builtin'] as const

/** The fields of a target that responses repeat unchanged. */
const targetFields = {
  chat_id: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'chat: a published chat of the project',
  }),
  model: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'model: default is the model of the version',
  }),
  prompt: Type.String({
    maxLength: limits.questionLength,
    description: 'model: the system prompt; if it contains {{query}}, it is the whole message instead',
  }),
  temperature: Type.Number({ minimum: 0, maximum: 2 }),
  max_tokens: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  url: Type.String({ minLength: 1, maxLength: 2048, description: 'http: https, on a public address' }),
  output_path: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'http: path of the output in the JSON response, such as data.0.text',
  }),
}

/** The target that answers the cases of a suite. `type` decides which fields are used; others are ignored. */
export const TargetInput = body({
  type: Type.Enum(targetTypes, {
    description:
      'default: the first published chat, else the model of the active version, else the built-in answerer',
  }),
  chat_id: absent(targetFields.chat_id),
  model: absent(targetFields.model),
  prompt: absent(targetFields.prompt),
  temperature: absent(targetFields.temperature),
  max_tokens: absent(targetFields.max_tokens),
  url: absent(targetFields.url),
  headers: absent(
    Type.Record(Type.String(), Type.String(), { description: 'http: stored encrypted, never shown again' }),
  ),
  output_path: absent(targetFields.output_path),
})
export type TargetInput = Static<typeof TargetInput>

export const Target = Type.Object({
  type: Type.Enum(targetTypes),
  chat_id: Type.Optional(targetFields.chat_id),
  model: Type.Optional(targetFields.model),
  prompt: Type.Optional(targetFields.prompt),
  temperature: Type.Optional(targetFields.temperature),
  max_tokens: Type.Optional(targetFields.max_tokens),
  url: Type.Optional(targetFields.url),
  output_path: Type.Optional(targetFields.output_path),
  header_names: Type.Optional(Type.Array(Type.String())),
})
export type Target = Static<typeof Target>

export const CreateSuite = body({
  name: Name,
  description: absent(Description),
  tags: absent(Tags),
  target: absent(TargetInput),
})
export type CreateSuite = Static<typeof CreateSuite>

export const UpdateSuite = body({
  name: absent(Name),
  description: absent(Description),
  tags: absent(Tags),
  target: absent(TargetInput),
})
export type UpdateSuite = Static<typeof UpdateSuite>

export const CreatedSuite = Type.Object({
  suite_id: Type.String(),
  name: Type.String(),
  created_at: Timestamp,
})
export type CreatedSuite = Static<typeof CreatedSuite>

export const SuiteSummary = Type.Object({
  suite_id: Type.String(),
  name: Type.String(),
  description: StringOrNull,
  tags: Type.Array(Type.String()),
  case_count: Type.Integer(),
  created_at: Timestamp,
})
export type SuiteSummary = Static<typeof SuiteSummary>

export const Suite = Type.Object({
  ...SuiteSummary.properties,
  target: Type.Union([Target, Type.Null()], { description: 'null: the default of the project' }),
})
export type Suite = Static<typeof Suite>

export const ListSuitesQuery = LongPageQuery
export type ListSuitesQuery = Static<typeof ListSuitesQuery>

export const assertionTypes = [
  'contains',
  'not_contains',
  'equals',
  'max_latency_ms',
  'min_score',
  'icontains',
  'regex',
  'starts_with',
  'json_valid',
  'json_schema',
  'max_cost',
  'similar',
] as const
export type AssertionType = (typeof assertionTypes)[number]

export const AssertionKind = Type.Enum(assertionTypes)
const Scorer = idOf('for min_score: slug of the scorer, default correctness', limits.scorerSlugLength)

/** `type` decides the type of `value`; see the guide on test suites. */
export const AssertionInput = body({
  type: AssertionKind,
  value: absent(Type.Unknown()),
  scorer: absent(Scorer),
})
export type AssertionInput = Static<typeof AssertionInput>

export const Assertion = Type.Object({
  type: AssertionKind,
  value: Type.Unknown(),
  scorer: Type.Optional(Scorer),
})
export type Assertion = Static<typeof Assertion>

const Query = Type.String({ minLength: 1, maxLength: limits.questionLength, pattern: '\\S' })
const caseFields = {
  query: absent(Query),
  expected_answer: absent(Type.String({ maxLength: limits.questionLength })),
  category: absent(Type.String({ minLength: 1, maxLength: 200 })),
  assertions: absent(Type.Array(AssertionInput, { maxItems: limits.assertionsPerCase })),
}

/** `query` and `expected_answer` are required unless `trace_id` is set; the trace's input and output replace them. */
export const CreateCase = body({
  ...caseFields,
  trace_id: absent(idOf('a trace of the project; the case is created from it')),
})
export type CreateCase = Static<typeof CreateCase>

export const UpdateCase = body(caseFields)
export type UpdateCase = Static<typeof UpdateCase>

export const CreatedCase = Type.Object({
  case_id: Type.String(),
  suite_id: Type.String(),
  created_at: Timestamp,
})
export type CreatedCase = Static<typeof CreatedCase>

export const Case = Type.Object({
  case_id: Type.String(),
  suite_id: Type.String(),
  query: Type.String(),
  expected_answer: Type.String(),
  category: StringOrNull,
  assertions: Type.Array(Assertion),
  trace_id: Type.Union([Type.String(), Type.Null()], {
    description: 'the trace that the case was created from',
  }),
  created_at: Timestamp,
})
export type Case = Static<typeof Case>

export const SuiteParams = Type.Object({ project_id: Type.String(), suite_id: Type.String() })
export const CaseParams = Type.Object({
  project_id: Type.String(),
  suite_id: Type.String(),
  case_id: Type.String(),
})
