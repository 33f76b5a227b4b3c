import { ChatParams, RateAnswer, RatedAnswer, UserRatingForm } from '@cairn/contract'
import { chatKey, user } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { fieldsOf } from '../../http/form.ts'
import { userOf } from '../../http/user.ts'
import { compileCheck } from '../../http/validation.ts'
import type { FeedbackService } from './service.ts'

export function feedbackRoutes(app: App, feedback: FeedbackService): void {
  app.post(
    '/v1/:chat_id/feedback',
    {
      config: { access: chatKey('query') },
      schema: {
        tags: ['Answers'],
        operationId: 'rateAnswer',
        summary: 'Rate an answer of the chat, in place of an earlier rating',
        params: ChatParams,
        body: RateAnswer,
        response: { 200: RatedAnswer },
      },
    },
    (request) => feedback.rate(request.params.chat_id, request.body),
  )
}

const checkRating = compileCheck<UserRatingForm>(UserRatingForm, 'the form')

/** The endpoint for ratings of end users. */
export function userFeedbackRoutes(app: App, feedback: FeedbackService): void {
  app.post(
    '/v1/me/chats/feedback',
    {
      config: { access: user('rating'), form: UserRatingForm, takesUrlencoded: true },
      schema: {
        tags: ['Users'],
        operationId: 'rateMyAnswer',
        summary: 'Rate an answer to you, in place of an earlier rating',
        response: { 200: RatedAnswer },
      },
    },
    (request) => feedback.rateForUser(userOf(request), checkRating(fieldsOf(request))),
  )
}
