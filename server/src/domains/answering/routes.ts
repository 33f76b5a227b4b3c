import {
  AnswerEvent,
  ChatParams,
  QueryRequest,
  QueryResponse,
  SearchRequest,
  SearchResponse,
} from '@cairn/contract'
import { chatKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { clientSignal, type EventsOptions, sendEvents } from '../../http/sse.ts'
import type { PreparationService } from './prepare.ts'
import type { SearchService } from './search.ts'
import type { AnsweringService } from './service.ts'

const config = { access: chatKey('query') }
const tags = ['Answers']

interface Answering {
  questions: PreparationService
  contextSearch: SearchService
  answering: AnsweringService
}

export function answeringRoutes(
  app: App,
  { questions, contextSearch, answering }: Answering,
  options: EventsOptions,
): void {
  app.post(
    '/v1/:chat_id/answer_question',
    {
      config,
      schema: {
        tags,
        operationId: 'answerQuestion',
        summary: 'Answer a question with citations',
        params: ChatParams,
        body: QueryRequest,
        response: { 200: QueryResponse },
      },
    },
    async (request, reply) => {
      const signal = clientSignal(reply)
      return answering.answer(
        await questions.prepare(request.params.chat_id, request.body, { signal }),
        signal,
      )
    },
  )

  app.post(
    '/v1/:chat_id/answer_question_stream',
    {
      config,
      schema: {
        tags,
        operationId: 'streamAnswer',
        summary: 'Answer a question as server-sent events: context, content …, end',
        params: ChatParams,
        body: QueryRequest,
        response: {
          200: { description: 'events', content: { 'text/event-stream': { schema: AnswerEvent } } },
        },
      },
    },
    async (request, reply) => {
      const signal = clientSignal(reply)
      const prepared = await questions.prepare(request.params.chat_id, request.body, { signal })
      return sendEvents(reply, answering.stream(prepared, signal), options)
    },
  )

  app.post(
    '/v1/:chat_id/search',
    {
      config: { access: chatKey('read') },
      schema: {
        tags,
        operationId: 'searchDocuments',
        summary: 'Search the documents in the same way as a question, without an answer',
        params: ChatParams,
        body: SearchRequest,
        response: { 200: SearchResponse },
      },
    },
    (request) => contextSearch.search(request.params.chat_id, request.body),
  )
}
