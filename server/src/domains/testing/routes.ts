import {
  Case,
  CaseParams,
  CreateCase,
  CreatedCase,
  CreatedSuite,
  CreateSuite,
  Deleted,
  ListSuitesQuery,
  PageQuery,
  ProjectParams,
  Suite,
  SuiteParams,
  SuiteSummary,
  UpdateCase,
  UpdateSuite,
} from '@cairn/contract'
import { Type } from 'typebox'
import { projectKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { linkNextPage } from '../../http/paging.ts'
import type { SuiteService } from './suites.ts'

const tags = ['Testing']
const read = { access: projectKey('read') }
const write = { access: projectKey('write') }

export function suiteRoutes(app: App, suites: SuiteService): void {
  app.post(
    '/v1/:project_id/testing/suites',
    {
      config: write,
      schema: {
        tags,
        operationId: 'createSuite',
        summary: 'Create a test suite',
        params: ProjectParams,
        body: CreateSuite,
        response: { 201: CreatedSuite },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await suites.create(request.params.project_id, request.body)),
  )

  app.get(
    '/v1/:project_id/testing/suites',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listSuites',
        summary: 'List test suites, newest first',
        params: ProjectParams,
        querystring: ListSuitesQuery,
        response: { 200: Type.Array(SuiteSummary) },
      },
    },
    async (request, reply) => {
      const { page, next } = await suites.list(request.params.project_id, request.query)
      linkNextPage(request, reply, next)
      return page
    },
  )

  app.get(
    '/v1/:project_id/testing/suites/:suite_id',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getSuite',
        summary: 'Read a test suite',
        params: SuiteParams,
        response: { 200: Suite },
      },
    },
    (request) => suites.get(request.params.project_id, request.params.suite_id),
  )

  app.patch(
    '/v1/:project_id/testing/suites/:suite_id',
    {
      config: write,
      schema: {
        tags,
        operationId: 'updateSuite',
        summary: 'Change a test suite; a target is replaced as a whole',
        params: SuiteParams,
        body: UpdateSuite,
        response: { 200: Suite },
      },
    },
    (request) => suites.update(request.params.project_id, request.params.suite_id, request.body),
  )

  app.delete(
    '/v1/:project_id/testing/suites/:suite_id',
    {
      config: write,
      schema: {
        tags,
        operationId: 'deleteSuite',
        summary: 'Delete a test suite with its cases and runs; traces of the runs stay',
        params: SuiteParams,
        response: { 200: Deleted },
      },
    },
    (request) => suites.delete(request.params.project_id, request.params.suite_id),
  )

  caseRoutes(app, suites)
}

function caseRoutes(app: App, suites: SuiteService): void {
  app.post(
    '/v1/:project_id/testing/suites/:suite_id/cases',
    {
      config: write,
      schema: {
        tags,
        operationId: 'createCase',
        summary: 'Add a case to a test suite, also from a trace',
        params: SuiteParams,
        body: CreateCase,
        response: { 201: CreatedCase },
      },
    },
    async (request, reply) => {
      const { project_id, suite_id } = request.params
      return reply.code(201).send(await suites.createCase(project_id, suite_id, request.body))
    },
  )

  app.get(
    '/v1/:project_id/testing/suites/:suite_id/cases',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listCases',
        summary: 'List the cases of a test suite in their order',
        params: SuiteParams,
        querystring: PageQuery,
        response: { 200: Type.Array(Case) },
      },
    },
    async (request, reply) => {
      const { project_id, suite_id } = request.params
      const { page, next } = await suites.listCases(project_id, suite_id, request.query)
      linkNextPage(request, reply, next)
      return page
    },
  )

  app.get(
    '/v1/:project_id/testing/suites/:suite_id/cases/:case_id',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getCase',
        summary: 'Read a case',
        params: CaseParams,
        response: { 200: Case },
      },
    },
    ({ params }) => suites.getCase(params.project_id, params.suite_id, params.case_id),
  )

  app.patch(
    '/v1/:project_id/testing/suites/:suite_id/cases/:case_id',
    {
      config: write,
      schema: {
        tags,
        operationId: 'updateCase',
        summary: 'Change a case; runs that have started keep the previous case',
        params: CaseParams,
        body: UpdateCase,
        response: { 200: Case },
      },
    },
    ({ params, body }) => suites.updateCase(params.project_id, params.suite_id, params.case_id, body),
  )

  app.delete(
    '/v1/:project_id/testing/suites/:suite_id/cases/:case_id',
    {
      config: write,
      schema: {
        tags,
        operationId: 'deleteCase',
        summary: 'Delete a case; its results stay',
        params: CaseParams,
        response: { 200: Deleted },
      },
    },
    ({ params }) => suites.deleteCase(params.project_id, params.suite_id, params.case_id),
  )
}
