import {
  CompareRunsQuery,
  Deleted,
  ListRunsQuery,
  ProjectParams,
  Run,
  RunComparison,
  RunParams,
  RunResults,
  RunResultsQuery,
  StartedRun,
  StartRun,
  SuiteParams,
  UpdateRun,
} from '@cairn/contract'
import { Type } from 'typebox'
import { projectKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { linkNextPage } from '../../http/paging.ts'
import { type PiecesOptions, sendPieces } from '../../http/stream.ts'
import type { RunResultsService } from './run-results.ts'
import type { RunService } from './runs.ts'

const tags = ['Testing']
const read = { access: projectKey('read') }
const write = { access: projectKey('write') }
const xml = Type.Unsafe<unknown>({ type: 'string' })

export function runRoutes(
  app: App,
  { runs, results }: { runs: RunService; results: RunResultsService },
  options: Pick<PiecesOptions, 'maxMs'>,
): void {
  app.post(
    '/v1/:project_id/testing/suites/:suite_id/run',
    {
      config: write,
      schema: {
        tags,
        operationId: 'runSuite',
        summary: 'Run a test suite in the background; the body is optional',
        params: SuiteParams,
        body: StartRun,
        response: { 201: StartedRun },
      },
    },
    async (request, reply) => {
      const { project_id, suite_id } = request.params
      return reply.code(201).send(await runs.start(project_id, suite_id, request.body ?? {}))
    },
  )

  app.get(
    '/v1/:project_id/testing/runs',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listRuns',
        summary: 'List runs with their pass rates, newest first',
        params: ProjectParams,
        querystring: ListRunsQuery,
        response: { 200: Type.Array(Run) },
      },
    },
    async (request, reply) => {
      const { page, next } = await runs.list(request.params.project_id, request.query)
      linkNextPage(request, reply, next)
      return page
    },
  )

  app.get(
    '/v1/:project_id/testing/runs/compare',
    {
      config: read,
      schema: {
        tags,
        operationId: 'compareRuns',
        summary: 'Compare two runs case by case',
        params: ProjectParams,
        querystring: CompareRunsQuery,
        response: { 200: RunComparison },
      },
    },
    (request) => results.compare(request.params.project_id, request.query),
  )

  app.get(
    '/v1/:project_id/testing/runs/:run_id',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getRun',
        summary: 'Read a run',
        params: RunParams,
        response: { 200: Run },
      },
    },
    ({ params }) => runs.get(params.project_id, params.run_id),
  )

  app.patch(
    '/v1/:project_id/testing/runs/:run_id',
    {
      config: write,
      schema: {
        tags,
        operationId: 'updateRun',
        summary: 'Change the name or the notes of a run',
        params: RunParams,
        body: UpdateRun,
        response: { 200: Run },
      },
    },
    ({ params, body }) => runs.update(params.project_id, params.run_id, body),
  )

  app.delete(
    '/v1/:project_id/testing/runs/:run_id',
    {
      config: write,
      schema: {
        tags,
        operationId: 'deleteRun',
        summary: 'Delete a run with its results; its traces stay',
        params: RunParams,
        response: { 200: Deleted },
      },
    },
    ({ params }) => runs.delete(params.project_id, params.run_id),
  )

  app.post(
    '/v1/:project_id/testing/runs/:run_id/cancel',
    {
      config: write,
      schema: {
        tags,
        operationId: 'cancelRun',
        summary: 'Cancel a run; its results stay, and a run that has ended does not change',
        params: RunParams,
        response: { 200: Run },
      },
    },
    ({ params }) => runs.cancel(params.project_id, params.run_id),
  )

  app.get(
    '/v1/:project_id/testing/runs/:run_id/results',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listRunResults',
        summary: 'Read the results of a run, also while it is running, as JSON or JUnit XML',
        params: RunParams,
        querystring: RunResultsQuery,
        response: {
          200: {
            description: 'the results',
            content: { 'application/json': { schema: RunResults }, 'application/xml': { schema: xml } },
          },
        },
      },
    },
    async (request, reply) => {
      const { project_id, run_id } = request.params
      const { format, limit, cursor, outcome } = request.query
      if (format === 'junit') {
        const headers = { 'content-type': 'application/xml; charset=utf-8' }
        return sendPieces(reply, results.asJunit(project_id, run_id), { headers, ...options })
      }
      if (limit === undefined && cursor === undefined && outcome === undefined) {
        const headers = { 'content-type': 'application/json; charset=utf-8' }
        return sendPieces(reply, results.asJson(project_id, run_id), { headers, ...options })
      }
      const { page, next } = await results.page(project_id, run_id, request.query)
      linkNextPage(request, reply, next)
      return reply.send(page)
    },
  )
}
