import {
  ListScoringsQuery,
  PageQuery,
  ProjectParams,
  RunScorer,
  ScorerParams,
  Scoring,
  ScoringFailure,
  ScoringParams,
} from '@cairn/contract'
import { Type } from 'typebox'
import { projectKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { linkNextPage } from '../../http/paging.ts'
import type { BatchService } from './batches.ts'

const tags = ['Scorers']

export function batchRoutes(app: App, batches: BatchService): void {
  app.post(
    '/v1/:project_id/scorers/:slug/run',
    {
      config: { access: projectKey('write'), heavy: true },
      schema: {
        tags,
        operationId: 'scoreTraces',
        summary: 'Score stored traces in the background',
        params: ScorerParams,
        body: RunScorer,
        response: { 201: Scoring },
      },
    },
    async (request, reply) => {
      const { project_id, slug } = request.params
      return reply.code(201).send(await batches.start(project_id, slug, request.body))
    },
  )

  app.get(
    '/v1/:project_id/scorers/runs',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        operationId: 'listScoringBatches',
        summary: 'List batches of scored traces, newest first',
        params: ProjectParams,
        querystring: ListScoringsQuery,
        response: { 200: Type.Array(Scoring) },
      },
    },
    async (request, reply) => {
      const { page, next } = await batches.list(request.params.project_id, request.query)
      linkNextPage(request, reply, next)
      return page
    },
  )

  app.get(
    '/v1/:project_id/scorers/runs/:scoring_id',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        operationId: 'getScoringBatch',
        summary: 'Read a batch: its progress, mean score and cost',
        params: ScoringParams,
        response: { 200: Scoring },
      },
    },
    (request) => batches.get(request.params.project_id, request.params.scoring_id),
  )

  app.get(
    '/v1/:project_id/scorers/runs/:scoring_id/failures',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        operationId: 'listScoringFailures',
        summary: 'List the traces of a batch whose scoring failed, with the reasons, newest first',
        params: ScoringParams,
        querystring: PageQuery,
        response: { 200: Type.Array(ScoringFailure) },
      },
    },
    async (request, reply) => {
      const { project_id, scoring_id } = request.params
      const { page, next } = await batches.failures(project_id, scoring_id, request.query)
      linkNextPage(request, reply, next)
      return page
    },
  )

  app.post(
    '/v1/:project_id/scorers/runs/:scoring_id/cancel',
    {
      config: { access: projectKey('write') },
      schema: {
        tags,
        operationId: 'cancelScoringBatch',
        summary: 'Cancel a running batch; its scores stay',
        params: ScoringParams,
        response: { 200: Scoring },
      },
    },
    (request) => batches.cancel(request.params.project_id, request.params.scoring_id),
  )
}
