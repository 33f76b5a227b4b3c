import {
  ListSessionsQuery,
  ProjectParams,
  Session,
  SessionParams,
  SessionQuery,
  SessionView,
} from '@cairn/contract'
import { Type } from 'typebox'
import { projectKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { linkNextPage } from '../../http/paging.ts'
import { sendJson } from '../../http/send-json.ts'
import { clientSignal } from '../../http/sse.ts'
import type { SessionService } from './service.ts'

const config = { access: projectKey('read') }
const tags = ['Sessions']

export function sessionRoutes(app: App, sessions: SessionService): void {
  app.get(
    '/v1/:project_id/analytics/sessions',
    {
      config,
      schema: {
        tags,
        operationId: 'listSessions',
        summary:
          'List sessions by their newest trace; at least one trace of a session must match the filters',
        params: ProjectParams,
        querystring: ListSessionsQuery,
        response: { 200: Type.Array(Session) },
      },
    },
    async (request, reply) => {
      const { page, next } = await sessions.list(
        request.params.project_id,
        request.query,
        clientSignal(reply),
      )
      linkNextPage(request, reply, next)
      return page
    },
  )

  app.get(
    '/v1/:project_id/analytics/sessions/:session_id',
    {
      config,
      schema: {
        tags,
        operationId: 'getTraceSession',
        summary: 'Read a session with its traces, oldest first',
        params: SessionParams,
        querystring: SessionQuery,
        response: { 200: SessionView },
      },
    },
    async (request, reply) => {
      const { project_id, session_id } = request.params
      const { json, next } = await sessions.get(project_id, session_id, request.query, clientSignal(reply))
      linkNextPage(request, reply, next)
      return sendJson(reply, json)
    },
  )
}
