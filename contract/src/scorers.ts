import { type Static, Type } from 'typebox'
import { absent, body, idOf, Timestamp } from './common.ts'
import { limits } from './limits.ts'

export const JudgeRequest = body({
  scorer_slug: idOf('a built-in scorer or a scorer of the project', limits.scorerSlugLength),
  trace_id: absent(
    Type.String({ description: 'stores the score on this trace under the name of the scorer' }),
  ),
  input: absent(Type.String({ description: 'default: input of the trace' })),
  output: absent(Type.String({ description: 'default: output of the trace; required without trace_id' })),
  expected_output: absent(Type.String()),
})
export type JudgeRequest = Static<typeof JudgeRequest>

export const JudgeMethod = Type.Union([Type.Literal('model'), Type.Literal('local')])

export const JudgeResult = Type.Object({
  score: Type.Number({ description: '0 to 1, higher is better' }),
  reasoning: Type.String({ description: 'explanation of the score' }),
  scorer: Type.String(),
  method: JudgeMethod,
  model: Type.Union([Type.String(), Type.Null()], {
    description: 'the model that scored; null for a local method',
  }),
})
export type JudgeResult = Static<typeof JudgeResult>

export const Choices = Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }), {
  description: 'the choices that the model has, and the score of each',
})

const definition = {
  prompt: Type.String({
    minLength: 1,
    maxLength: limits.scorerPromptLength,
    description: 'may contain {{input}}, {{output}} and {{expected_output}}',
  }),
  choices: Choices,
  model: absent(Type.String({ minLength: 1, maxLength: 200, description: 'default: model of the server' })),
  description: absent(Type.String({ maxLength: limits.descriptionLength })),
}

export const CreateScorer = body({
  slug: Type.String({
    minLength: 1,
    maxLength: limits.scorerSlugLength,
    description: 'lower-case letters, digits and single hyphens between them',
  }),
  ...definition,
})
export type CreateScorer = Static<typeof CreateScorer>

export const ReplaceScorer = body(definition)
export type ReplaceScorer = Static<typeof ReplaceScorer>

export const Scorer = Type.Object({
  slug: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  built_in: Type.Boolean(),
  method: Type.Union([Type.Literal('model'), Type.Literal('local')], {
    description: 'current method; built-in scorers use a local method if no model provider is configured',
  }),
  prompt: Type.Union([Type.String(), Type.Null()], { description: 'null for built-in scorers' }),
  choices: Type.Union([Choices, Type.Null()]),
  model: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.Union([Timestamp, Type.Null()]),
  updated_at: Type.Union([Timestamp, Type.Null()]),
})
export type Scorer = Static<typeof Scorer>

export const ScorerParams = Type.Object({ project_id: Type.String(), slug: Type.String() })
