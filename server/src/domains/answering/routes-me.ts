import { OwnAnswer, OwnAnswerEvent, UserQueryForm } from '@cairn/contract'
import { user } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { fieldsOf } from '../../http/form.ts'
import { clientSignal, type EventsOptions, sendEvents } from '../../http/sse.ts'
import { userOf } from '../../http/user.ts'
import { misspeltFilters } from './question/index.ts'
import type { UserAnswers } from './user-answers.ts'
import { toUserQuestion } from './user-question.ts'

/** The endpoint for questions of end users. */
export function userAnsweringRoutes(app: App, answers: UserAnswers, options: EventsOptions): void {
  app.post(
    '/v1/me/chats/query',
    {
      config: {
        access: user('query'),
        form: UserQueryForm,
        takesUrlencoded: true,
        alsoReads: misspeltFilters,
      },
      schema: {
        tags: ['Users'],
        operationId: 'askMyFiles',
        summary: 'Ask your files and those of the app; with stream=true as server-sent events',
        response: {
          200: {
            description: 'the answer, or its events',
            content: {
              'application/json': { schema: OwnAnswer },
              'text/event-stream': { schema: OwnAnswerEvent },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const asker = userOf(request)
      const question = toUserQuestion(fieldsOf(request))
      const signal = clientSignal(reply)
      const prepared = await answers.prepare(asker, question, signal)
      if (question.isStream) return sendEvents(reply, answers.stream(prepared, signal), options)
      return answers.answer(asker, prepared, signal)
    },
  )
}
