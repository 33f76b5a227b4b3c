import { CreatedScore, CreateScore, TraceParams } from '@cairn/contract'
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
}
