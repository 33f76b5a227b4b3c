import { type Static, Type } from 'typebox'
import { absent, body, idOf } from './common.ts'
import { limits } from './limits.ts'

/** The name of the score that holds a rating. */
export const feedbackScore = 'user_feedback'

export const ratings = ['up', 'down', 'none'] as const
export type Rating = (typeof ratings)[number]

export const RateAnswer = body({
  answer_id: idOf('of the answer'),
  rating: Type.Enum(ratings, { description: 'none takes the rating back' }),
  comment: absent(Type.String({ maxLength: limits.scoreCommentLength })),
})
export type RateAnswer = Static<typeof RateAnswer>

/** The form of an end user's rating. */
export const UserRatingForm = Type.Object({
  answer_id: RateAnswer.properties.answer_id,
  rating: RateAnswer.properties.rating,
  comment: Type.Optional(
    Type.String({ maxLength: limits.scoreCommentLength, description: 'only with share_comment=true' }),
  ),
  share_comment: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'true: the developer of the app reads the comment' }),
  ),
})
export type UserRatingForm = Static<typeof UserRatingForm>

export const RatedAnswer = Type.Object({ success: Type.Literal(true) })
export type RatedAnswer = Static<typeof RatedAnswer>
