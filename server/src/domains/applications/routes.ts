import {
  ApplicationDetail,
  ApplicationUser,
  AppParams,
  AppUserParams,
  Deleted,
  PageQuery,
  RegisterAppForm,
  RegisteredApp,
  UpdateApplication,
} from '@cairn/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { fieldsOf } from '../../http/form.ts'
import { linkNextPage } from '../../http/paging.ts'
import type { ApplicationService } from './service.ts'

const config = { access: administrator }
const tags = ['Applications']
const ListQuery = Type.Object({ project_id: Type.Optional(Type.String()) })

export function applicationRoutes(app: App, applications: ApplicationService): void {
  app.post(
    '/v1/console/apps/register',
    {
      config: { ...config, form: RegisterAppForm, takesUrlencoded: true },
      schema: {
        tags,
        operationId: 'registerApp',
        summary: 'Register an application whose users sign in with their own identity provider',
        response: { 201: RegisteredApp },
      },
    },
    async (request, reply) => reply.code(201).send(await applications.register(fieldsOf(request))),
  )

  app.get(
    '/v1/console/apps',
    {
      config,
      schema: {
        tags,
        operationId: 'listApps',
        summary: 'List applications with numbers of their users and files, oldest first',
        querystring: ListQuery,
        response: { 200: Type.Array(ApplicationDetail) },
      },
    },
    (request) => applications.list(request.query.project_id),
  )

  app.get(
    '/v1/console/apps/:app_id',
    {
      config,
      schema: {
        tags,
        operationId: 'getApp',
        summary: 'Read an application',
        params: AppParams,
        response: { 200: ApplicationDetail },
      },
    },
    (request) => applications.get(request.params.app_id),
  )

  app.patch(
    '/v1/console/apps/:app_id',
    {
      config,
      schema: {
        tags,
        operationId: 'updateApp',
        summary: 'Enable or disable an application; change its name, key set, audiences or algorithms',
        params: AppParams,
        body: UpdateApplication,
        response: { 200: ApplicationDetail },
      },
    },
    (request) => applications.update(request.params.app_id, request.body),
  )

  app.delete(
    '/v1/console/apps/:app_id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteApp',
        summary: 'Delete an application with its users and their data',
        params: AppParams,
        response: { 200: Deleted },
      },
    },
    (request) => applications.delete(request.params.app_id),
  )

  app.get(
    '/v1/console/apps/:app_id/users',
    {
      config,
      schema: {
        tags,
        operationId: 'listAppUsers',
        summary: "List an application's users, newest first; only ids, numbers of files and sizes",
        params: AppParams,
        querystring: PageQuery,
        response: { 200: Type.Array(ApplicationUser) },
      },
    },
    async (request, reply) => {
      const { page, next } = await applications.users(request.params.app_id, request.query)
      linkNextPage(request, reply, next)
      return page
    },
  )

  app.delete(
    '/v1/console/apps/:app_id/users/:user_id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteAppUser',
        summary: 'Delete a user with their chat and its documents',
        params: AppUserParams,
        response: { 200: Deleted },
      },
    },
    (request) => applications.deleteUser(request.params.app_id, request.params.user_id),
  )
}
