import {
  CreatedKey,
  CreateKey,
  CreateProject,
  Deleted,
  Key,
  Project,
  ProjectParams,
  UpdateProject,
} from '@cairn/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { AccessService } from './service.ts'

const config = { access: administrator }
const tags = ['Projects and keys']

/** Console endpoints for projects and their keys. */
export function accessRoutes(app: App, access: AccessService): void {
  app.post(
    '/v1/console/projects',
    {
      config,
      schema: {
        tags,
        operationId: 'createProject',
        summary: 'Create a project',
        body: CreateProject,
        response: { 201: Project },
      },
    },
    async (request, reply) => reply.code(201).send(await access.createProject(request.body.name)),
  )

  app.get(
    '/v1/console/projects',
    {
      config,
      schema: {
        tags,
        operationId: 'listProjects',
        summary: 'List projects, oldest first',
        response: { 200: Type.Array(Project) },
      },
    },
    () => access.listProjects(),
  )

  app.get(
    '/v1/console/projects/:project_id',
    {
      config,
      schema: {
        tags,
        operationId: 'getProject',
        summary: 'Read a project',
        params: ProjectParams,
        response: { 200: Project },
      },
    },
    (request) => access.getProject(request.params.project_id),
  )

  app.patch(
    '/v1/console/projects/:project_id',
    {
      config,
      schema: {
        tags,
        operationId: 'updateProject',
        summary: 'Rename a project, or set how long its traces are kept',
        params: ProjectParams,
        body: UpdateProject,
        response: { 200: Project },
      },
    },
    (request) => access.updateProject(request.params.project_id, request.body),
  )

  app.delete(
    '/v1/console/projects/:project_id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteProject',
        summary: 'Delete a project and its data',
        params: ProjectParams,
        response: { 200: Deleted },
      },
    },
    (request) => access.deleteProject(request.params.project_id),
  )

  app.post(
    '/v1/console/projects/:project_id/keys',
    {
      config,
      schema: {
        tags,
        operationId: 'createProjectKey',
        summary: 'Create an API key of a project; only this response contains the key',
        params: ProjectParams,
        body: CreateKey,
        response: { 201: CreatedKey },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await access.createProjectKey(request.params.project_id, request.body)),
  )

  app.get(
    '/v1/console/projects/:project_id/keys',
    {
      config,
      schema: {
        tags,
        operationId: 'listProjectKeys',
        summary: "List a project's keys",
        params: ProjectParams,
        response: { 200: Type.Array(Key) },
      },
    },
    (request) => access.listProjectKeys(request.params.project_id),
  )

  app.delete(
    '/v1/console/keys/:key_id',
    {
      config,
      schema: {
        tags,
        operationId: 'revokeKey',
        summary: 'Revoke a key',
        params: Type.Object({ key_id: Type.String() }),
        response: { 200: Deleted },
      },
    },
    (request) => access.revokeKey(request.params.key_id),
  )
}
