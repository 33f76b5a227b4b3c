import { AuditEntry, AuditQuery } from '@cairn/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { linkNextPage } from '../../http/paging.ts'
import type { AuditService } from './service.ts'

export function auditRoutes(app: App, audit: AuditService): void {
  app.get(
    '/v1/console/audit',
    {
      config: { access: administrator },
      schema: {
        tags: ['Audit log'],
        operationId: 'listAuditEntries',
        summary: 'List console changes, newest first',
        querystring: AuditQuery,
        response: { 200: Type.Array(AuditEntry) },
      },
    },
    async (request, reply) => {
      const { page, next } = await audit.list(request.query)
      linkNextPage(request, reply, next)
      return page
    },
  )
}
