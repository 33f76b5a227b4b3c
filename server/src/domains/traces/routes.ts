import {
  CreatedTrace,
  CreatedTraceBatch,
  CreateTrace,
  CreateTraceBatch,
  DeletedTraces,
  IdempotencyHeaders,
  ListTracesQuery,
  ProjectParams,
  RepricedTraces,
  RepriceTraces,
  TaggedTraces,
  TagTraces,
  Trace,
  TraceFilters,
  TraceParams,
  TracePreview,
  TraceSummary,
} from '@cairn/contract'
import { Type } from 'typebox'
import { administrator, projectKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { linkNextPage } from '../../http/paging.ts'
import { sendJson } from '../../http/send-json.ts'
import { clientSignal } from '../../http/sse.ts'
import type { TraceChanges } from './changes.ts'
import type { TraceReader } from './reader.ts'
import type { TraceRecorder } from './recorder.ts'

const tags = ['Traces']

interface TraceServices {
  traceRecorder: TraceRecorder
  traceReader: TraceReader
  traceChanges: TraceChanges
}

export function traceRoutes(app: App, { traceRecorder, traceReader, traceChanges }: TraceServices): void {
  app.post(
    '/v1/:project_id/traces',
    {
      config: { access: projectKey('ingest') },
      schema: {
        tags,
        operationId: 'createTrace',
        summary: 'Record a trace; the response is sent when it is on disk',
        params: ProjectParams,
        headers: IdempotencyHeaders,
        body: CreateTrace,
        response: { 201: CreatedTrace },
      },
    },
    async (request, reply) => {
      const key = request.headers['idempotency-key']
      return reply.code(201).send(await traceRecorder.create(request.params.project_id, request.body, key))
    },
  )

  app.post(
    '/v1/:project_id/traces/batch',
    {
      config: { access: projectKey('ingest'), hasItems: true },
      schema: {
        tags,
        operationId: 'createTraces',
        summary: 'Record up to 1,000 traces; an invalid trace does not reject the others',
        params: ProjectParams,
        headers: IdempotencyHeaders,
        body: CreateTraceBatch,
        response: { 201: CreatedTraceBatch },
      },
    },
    async (request, reply) => {
      const { project_id } = request.params
      const key = request.headers['idempotency-key']
      return reply.code(201).send(await traceRecorder.createBatch(project_id, request.body.traces, key))
    },
  )

  app.get(
    '/v1/:project_id/analytics/traces',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        operationId: 'listTraces',
        summary: 'List traces, by default newest first; the next page is in X-Next-Cursor and Link',
        params: ProjectParams,
        querystring: ListTracesQuery,
        response: { 200: Type.Array(Type.Union([TraceSummary, TracePreview])) },
      },
    },
    async (request, reply) => {
      const { json, next } = await traceReader.list(
        request.params.project_id,
        request.query,
        clientSignal(reply),
      )
      linkNextPage(request, reply, next)
      return sendJson(reply, json)
    },
  )

  app.get(
    '/v1/:project_id/analytics/traces/:trace_id',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        operationId: 'getTrace',
        summary: 'Read a trace with its scores',
        params: TraceParams,
        response: { 200: Trace },
      },
    },
    async (request, reply) => {
      const { project_id, trace_id } = request.params
      return sendJson(reply, await traceReader.readAsJson(project_id, trace_id))
    },
  )

  app.post(
    '/v1/:project_id/traces/tags',
    {
      config: { access: projectKey('write') },
      schema: {
        tags,
        operationId: 'tagTraces',
        summary: 'Add tags to up to 100 traces, and remove tags',
        params: ProjectParams,
        body: TagTraces,
        response: { 200: TaggedTraces },
      },
    },
    (request) => traceChanges.tag(request.params.project_id, request.body),
  )

  app.delete(
    '/v1/:project_id/traces/:trace_id',
    {
      config: { access: projectKey('write') },
      schema: {
        tags,
        operationId: 'deleteTrace',
        summary: 'Delete a trace with its scores',
        params: TraceParams,
        response: { 200: DeletedTraces },
      },
    },
    (request) => traceChanges.delete(request.params.project_id, request.params.trace_id),
  )

  app.delete(
    '/v1/:project_id/traces',
    {
      config: { access: projectKey('admin') },
      schema: {
        tags,
        operationId: 'deleteTraces',
        summary: 'Delete all traces that match the filters; at least one filter is required',
        params: ProjectParams,
        querystring: TraceFilters,
        response: { 200: DeletedTraces },
      },
    },
    (request) => traceChanges.deleteMatching(request.params.project_id, request.query),
  )

  app.post(
    '/v1/console/projects/:project_id/reprice',
    {
      config: { access: administrator },
      schema: {
        tags: ['Projects and keys'],
        operationId: 'repriceTraces',
        summary: 'Compute again all costs of traces that the client has not sent',
        params: ProjectParams,
        body: RepriceTraces,
        response: { 200: RepricedTraces },
      },
    },
    (request) => traceChanges.reprice(request.params.project_id, request.body),
  )
}
