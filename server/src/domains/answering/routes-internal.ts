import { AnswerEvent, InternalQuery, QueryResponse } from '@cairn/contract'
import { administratorOrKeyOf } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { clientSignal, type EventsOptions, sendEvents } from '../../http/sse.ts'
import type { PreparationService } from './prepare.ts'
import type { AnsweringService } from './service.ts'

const config = { access: administratorOrKeyOf({ place: 'body', of: 'chat', fields: ['chat_id'] }) }
const tags = ['Internal']

/** Endpoints that answer questions with the draft settings of a chat, for previews before publishing. */
export function internalAnsweringRoutes(
  app: App,
  { questions, answering }: { questions: PreparationService; answering: AnsweringService },
  options: EventsOptions,
): void {
  const prepare = ({ chat_id, ...question }: InternalQuery, signal: AbortSignal) =>
    questions.prepare(chat_id, question, { draft: true, signal })

  app.post(
    '/answer_question',
    {
      config,
      schema: {
        tags,
        operationId: 'answerByDraft',
        summary: 'Answer a question with citations, by the draft settings',
        body: InternalQuery,
        response: { 200: QueryResponse },
      },
    },
    async (request, reply) => {
      const signal = clientSignal(reply)
      return answering.answer(await prepare(request.body, signal), signal)
    },
  )

  app.post(
    '/answer_question_stream',
    {
      config,
      schema: {
        tags,
        operationId: 'streamAnswerByDraft',
        summary: 'Answer a question by the draft settings as server-sent events',
        body: InternalQuery,
        response: {
          200: { description: 'events', content: { 'text/event-stream': { schema: AnswerEvent } } },
        },
      },
    },
    async (request, reply) => {
      const signal = clientSignal(reply)
      return sendEvents(reply, answering.stream(await prepare(request.body, signal), signal), options)
    },
  )
}
