import { ProjectParams, ProjectUsageQuery, UsageQuery, UsageReport } from '@cairn/contract'
import { administrator, projectKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { UsageService } from './service.ts'

const description = 'Whole days (UTC), by default the last 30.'

export function usageRoutes(app: App, usage: UsageService): void {
  app.get(
    '/v1/console/usage',
    {
      config: { access: administrator },
      schema: {
        tags: ['Credits'],
        operationId: 'getUsage',
        summary: 'Sum tokens, credits and costs of all projects',
        description,
        querystring: UsageQuery,
        response: { 200: UsageReport },
      },
    },
    (request) => usage.report(request.query),
  )

  app.get(
    '/v1/:project_id/usage',
    {
      config: { access: projectKey('read') },
      schema: {
        tags: ['Usage'],
        operationId: 'getProjectUsage',
        summary: 'Sum tokens, credits and costs of the project',
        description,
        params: ProjectParams,
        querystring: ProjectUsageQuery,
        response: { 200: UsageReport },
      },
    },
    (request) => usage.reportOf(request.params.project_id, request.query),
  )
}
