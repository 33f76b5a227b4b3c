import {
  CreatedTrace,
  CreatedTraceBatch,
  CreateTrace,
  CreateTraceBatch,
  ListTracesQuery,
  ProjectParams,
  Trace,
  TraceParams,
  TraceSummary,
} from '@cairn/contract'
import { Type } from 'typebox'
import { projectKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { linkNextPage } from '../../http/paging.ts'
import type { TraceService } from './service.ts'

const tags = ['Traces']

export function traceRoutes(app: App, traces: TraceService): void {
  app.post(
    '/v1/:project_id/traces',
    {
      config: { access: projectKey('ingest') },
      schema: {
        tags,
        summary: 'Record a trace; answered when it is on disk',
        params: ProjectParams,
        body: CreateTrace,
        response: { 201: CreatedTrace },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await traces.create(request.params.project_id, request.body)),
  )

  app.post(
    '/v1/:project_id/traces/batch',
    {
      config: { access: projectKey('ingest') },
      schema: {
        tags,
        summary: 'Record up to 1,000 traces; a bad one does not sink the others',
        params: ProjectParams,
        body: CreateTraceBatch,
        response: { 201: CreatedTraceBatch },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await traces.createBatch(request.params.project_id, request.body.traces)),
  )

  app.get(
    '/v1/:project_id/analytics/traces',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        summary: 'List traces, newest first; the next page is in X-Next-Cursor and Link',
        params: ProjectParams,
        querystring: ListTracesQuery,
        response: { 200: Type.Array(TraceSummary) },
      },
    },
    async (request, reply) => {
      const { page, next } = await traces.list(request.params.project_id, request.query)
      if (next !== undefined) linkNextPage(request, reply, next)
      return page
    },
  )

  app.get(
    '/v1/:project_id/analytics/traces/:trace_id',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        summary: 'Read a trace with its scores',
        params: TraceParams,
        response: { 200: Trace },
      },
    },
    (request) => traces.get(request.params.project_id, request.params.trace_id),
  )
}
