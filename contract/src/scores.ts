import { type Static, Type } from 'typebox'
import { absent, body, Name, Timestamp } from './common.ts'

export const CreateScore = body({
  name: Name,
  value: Type.Number({ minimum: 0, maximum: 1 }),
  comment: absent(Type.String()),
})
export type CreateScore = Static<typeof CreateScore>

export const CreatedScore = Type.Object({ success: Type.Literal(true) })
export type CreatedScore = Static<typeof CreatedScore>

export const StoredScore = Type.Object({
  score_id: Type.String(),
  name: Type.String(),
  value: Type.Number(),
  comment: Type.Union([Type.String(), Type.Null()]),
  created_at: Timestamp,
  cost: Type.Optional(Type.Number({ description: 'USD that the judge cost, where a model graded' })),
})
export type StoredScore = Static<typeof StoredScore>

export const ScoreParams = Type.Object({
  project_id: Type.String(),
  trace_id: Type.String(),
  score_id: Type.String(),
})
