import { type Static, Type } from 'typebox'
import { absent, body, idOf, Name, Timestamp } from './common.ts'
import { limits } from './limits.ts'

export const CreateScore = body({
  name: Name,
  value: Type.Number({ minimum: 0, maximum: 1 }),
  comment: absent(Type.String({ maxLength: limits.scoreCommentLength })),
  span_id: absent(idOf('the span that is scored; without it, the whole trace')),
})
export type CreateScore = Static<typeof CreateScore>

export const CreatedScore = Type.Object({ success: Type.Literal(true) })
export type CreatedScore = Static<typeof CreatedScore>

export const scoreSources = ['human', 'judge', 'batch', 'rule', 'feedback'] as const
export type ScoreSource = (typeof scoreSources)[number]

export const StoredScore = Type.Object({
  score_id: Type.String(),
  name: Type.String(),
  value: Type.Number(),
  comment: Type.Union([Type.String(), Type.Null()]),
  span_id: Type.Optional(Type.String({ description: 'the scored span; left out for a whole trace' })),
  created_at: Timestamp,
  cost: Type.Optional(Type.Number({ description: 'USD of scoring, if a model scored' })),
  source: Type.Optional(
    Type.Enum(scoreSources, {
      description:
        'origin: a client, a single call of a scorer, a batch, a rule, or a rating of an answer; left out of scores older than this field',
    }),
  ),
  source_id: Type.Optional(Type.String({ description: 'id of the batch or the rule' })),
  scorer: Type.Optional(Type.String({ description: 'the slug of the scorer' })),
  method: Type.Optional(Type.Enum(['model', 'local'], { description: 'how the scorer worked' })),
  model: Type.Optional(Type.String({ description: 'the model that scored' })),
})
export type StoredScore = Static<typeof StoredScore>

export const ScoreParams = Type.Object({
  project_id: Type.String(),
  trace_id: Type.String(),
  score_id: Type.String(),
})
