import { Event, ListEventsQuery } from '@cairn/contract'
import { Type } from 'typebox'
import { user } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { linkNextPage } from '../../http/paging.ts'
import { userOf } from '../../http/user.ts'
import type { EventService } from './service.ts'

/** Routes with which end users read their own events, including the file names that developers cannot read. */
export function userEventRoutes(app: App, events: EventService): void {
  app.get(
    '/v1/me/events',
    {
      config: { access: user() },
      schema: {
        tags: ['Users'],
        operationId: 'listMyEvents',
        summary: 'List your own events, newest first',
        querystring: ListEventsQuery,
        response: { 200: Type.Array(Event) },
      },
    },
    async (request, reply) => {
      const { page, next } = await events.listForUser(userOf(request).chatId, request.query)
      linkNextPage(request, reply, next)
      return page
    },
  )
}
