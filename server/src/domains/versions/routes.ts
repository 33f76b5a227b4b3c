import {
  CompareVersionsQuery,
  CreatedVersion,
  CreateVersion,
  ListVersionsQuery,
  ProjectParams,
  RolledBackVersion,
  Version,
  VersionActivation,
  VersionComparison,
  VersionHistoryQuery,
  VersionParams,
  VersionSummary,
} from '@cairn/contract'
import { Type } from 'typebox'
import { projectKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { linkNextPage } from '../../http/paging.ts'
import type { VersionService } from './service.ts'

const tags = ['Versions']

export function versionRoutes(app: App, versions: VersionService): void {
  app.post(
    '/v1/:project_id/versions',
    {
      config: { access: projectKey('write') },
      schema: {
        tags,
        operationId: 'createVersion',
        summary: 'Publish a version; it becomes the only active one',
        params: ProjectParams,
        body: CreateVersion,
        response: { 201: CreatedVersion },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await versions.publish(request.params.project_id, request.body)),
  )

  app.get(
    '/v1/:project_id/versions',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        operationId: 'listVersions',
        summary: 'List versions, newest first',
        params: ProjectParams,
        querystring: ListVersionsQuery,
        response: { 200: Type.Array(VersionSummary) },
      },
    },
    async (request, reply) => {
      const { page, next } = await versions.list(request.params.project_id, request.query)
      linkNextPage(request, reply, next)
      return page
    },
  )

  app.get(
    '/v1/:project_id/versions/compare',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        operationId: 'compareVersions',
        summary: 'Compare the traces of two versions',
        params: ProjectParams,
        querystring: CompareVersionsQuery,
        response: { 200: VersionComparison },
      },
    },
    (request) => versions.compare(request.params.project_id, request.query),
  )

  app.get(
    '/v1/:project_id/versions/history',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        operationId: 'listVersionHistory',
        summary: 'List what was made active and when, newest first',
        params: ProjectParams,
        querystring: VersionHistoryQuery,
        response: { 200: Type.Array(VersionActivation) },
      },
    },
    async (request, reply) => {
      const { page, next } = await versions.history(request.params.project_id, request.query)
      linkNextPage(request, reply, next)
      return page
    },
  )

  app.get(
    '/v1/:project_id/versions/:version_id',
    {
      config: { access: projectKey('read') },
      schema: {
        tags,
        operationId: 'getVersion',
        summary: 'Read a version with the figures of its traces',
        params: VersionParams,
        response: { 200: Version },
      },
    },
    (request) => versions.get(request.params.project_id, request.params.version_id),
  )

  app.post(
    '/v1/:project_id/versions/:version_id/rollback',
    {
      config: { access: projectKey('write') },
      schema: {
        tags,
        operationId: 'rollBackVersion',
        summary: 'Make a version the only active one again',
        params: VersionParams,
        response: { 200: RolledBackVersion },
      },
    },
    (request) => versions.rollback(request.params.project_id, request.params.version_id),
  )
}
