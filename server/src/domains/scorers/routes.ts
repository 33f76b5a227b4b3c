import {
  CreateScorer,
  Deleted,
  JudgeRequest,
  JudgeResult,
  ProjectParams,
  ReplaceScorer,
  Scorer,
  ScorerParams,
} from '@cairn/contract'
import { Type } from 'typebox'
import { projectKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { ScoringService } from './scoring.ts'
import type { ScorerService } from './service.ts'

const tags = ['Scorers']

export function scorerRoutes(app: App, scorers: ScorerService, scoring: ScoringService): void {
  app.post(
    '/v1/:project_id/score-with-judge',
    {
      config: { access: projectKey('write') },
      schema: {
        tags,
        operationId: 'scoreOutput',
        summary: 'Score an output; with a trace_id, the score is stored on the trace',
        params: ProjectParams,
        body: JudgeRequest,
        response: { 200: JudgeResult },
      },
    },
    (request) => scoring.scoreAndStore(request.params.project_id, request.body),
  )

  app.post(
    '/v1/:project_id/scorers',
    {
      config: { access: projectKey('write') },
      schema: {
        tags,
        operationId: 'createScorer',
        summary: 'Create a scorer: a prompt for a model, and the scores of its choices',
        params: ProjectParams,
        body: CreateScorer,
        response: { 201: Scorer },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await scorers.create(request.params.project_id, request.body)),
  )

  app.get(
    '/v1/:project_id/scorers',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        operationId: 'listScorers',
        summary: 'List scorers, built-in scorers first',
        params: ProjectParams,
        response: { 200: Type.Array(Scorer) },
      },
    },
    (request) => scorers.list(request.params.project_id),
  )

  app.get(
    '/v1/:project_id/scorers/:slug',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        operationId: 'getScorer',
        summary: 'Read a scorer',
        params: ScorerParams,
        response: { 200: Scorer },
      },
    },
    (request) => scorers.get(request.params.project_id, request.params.slug),
  )

  app.put(
    '/v1/:project_id/scorers/:slug',
    {
      config: { access: projectKey('write') },
      schema: {
        tags,
        operationId: 'replaceScorer',
        summary: 'Replace a scorer of the project',
        params: ScorerParams,
        body: ReplaceScorer,
        response: { 200: Scorer },
      },
    },
    (request) => scorers.replace(request.params.project_id, request.params.slug, request.body),
  )

  app.delete(
    '/v1/:project_id/scorers/:slug',
    {
      config: { access: projectKey('write') },
      schema: {
        tags,
        operationId: 'deleteScorer',
        summary: 'Delete a scorer of the project; its scores stay',
        params: ScorerParams,
        response: { 200: Deleted },
      },
    },
    (request) => scorers.delete(request.params.project_id, request.params.slug),
  )
}
