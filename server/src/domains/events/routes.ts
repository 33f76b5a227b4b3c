import { Event, ListEventsQuery, ProjectParams } from '@cairn/contract'
import { Type } from 'typebox'
import { administrator, projectKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { linkNextPage } from '../../http/paging.ts'
import type { EventService } from './service.ts'

const schema = {
  summary: 'List events, newest first',
  params: ProjectParams,
  querystring: ListEventsQuery,
  response: { 200: Type.Array(Event) },
}

export function eventRoutes(app: App, events: EventService): void {
  app.get(
    '/v1/:project_id/events',
    {
      config: { access: projectKey('read') },
      schema: { operationId: 'listEvents', tags: ['Events'], ...schema },
    },
    async (request, reply) => {
      const { page, next } = await events.list(request.params.project_id, request.query)
      linkNextPage(request, reply, next)
      return page
    },
  )

  app.get(
    '/v1/console/projects/:project_id/events',
    {
      config: { access: administrator },
      schema: { operationId: 'listProjectEvents', tags: ['Webhooks'], ...schema },
    },
    async (request, reply) => {
      const { page, next } = await events.listForConsole(request.params.project_id, request.query)
      linkNextPage(request, reply, next)
      return page
    },
  )
}
