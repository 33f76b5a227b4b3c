import { CreatedScore, CreateScore, Deleted, ScoreParams, StoredScore, TraceParams } from '@cairn/contract'
import { Type } from 'typebox'
import { projectKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { ScoreService } from './service.ts'

export function scoreRoutes(app: App, scores: ScoreService): void {
  app.post(
    '/v1/:project_id/traces/:trace_id/scores',
    {
      config: { access: projectKey('ingest') },
      schema: {
        tags: ['Scores'],
        operationId: 'createScore',
        summary: 'Attach a score to a trace',
        params: TraceParams,
        body: CreateScore,
        response: { 201: CreatedScore },
      },
    },
    async (request, reply) => {
      const { project_id, trace_id } = request.params
      return reply.code(201).send(await scores.create(project_id, trace_id, request.body))
    },
  )

  app.get(
    '/v1/:project_id/traces/:trace_id/scores',
    {
      config: { access: projectKey('read') },
      schema: {
        tags: ['Scores'],
        operationId: 'listTraceScores',
        summary: 'List the scores of a trace, newest first',
        params: TraceParams,
        response: { 200: Type.Array(StoredScore) },
      },
    },
    (request) => scores.list(request.params.project_id, request.params.trace_id),
  )

  app.delete(
    '/v1/:project_id/traces/:trace_id/scores/:score_id',
    {
      config: { access: projectKey('write') },
      schema: {
        tags: ['Scores'],
        operationId: 'deleteScore',
        summary: 'Delete a score',
        params: ScoreParams,
        response: { 200: Deleted },
      },
    },
    (request) => {
      const { project_id, trace_id, score_id } = request.params
      return scores.delete(project_id, trace_id, score_id)
    },
  )
}
