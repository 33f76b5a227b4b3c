import type { Route } from './route.ts'
import { webhookBody, webhookWrong } from './route-samples.ts'

const admin = { credential: 'admin', status: 200 } as const
const adminMakes = { ...admin, status: 201 } as const
const reads = { credential: 'project-key', permission: 'read', status: 200 } as const

/** Routes for events and webhooks. */
export const eventRoutes: readonly Route[] = [
  { method: 'GET', path: '/v1/{project_id}/events', ...reads },
  { method: 'GET', path: '/v1/console/projects/{project_id}/events', ...admin },
  {
    method: 'POST',
    path: '/v1/console/projects/{project_id}/webhooks',
    ...adminMakes,
    body: webhookBody,
    required: ['url'],
    wrong: webhookWrong,
  },
  { method: 'GET', path: '/v1/console/projects/{project_id}/webhooks', ...admin },
  { method: 'GET', path: '/v1/console/webhooks/{webhook_id}', ...admin },
  {
    method: 'PATCH',
    path: '/v1/console/webhooks/{webhook_id}',
    ...admin,
    body: { ...webhookBody, enabled: true },
    wrong: webhookWrong,
  },
  { method: 'DELETE', path: '/v1/console/webhooks/{webhook_id}', ...admin, destroys: true },
  { method: 'POST', path: '/v1/console/webhooks/{webhook_id}/rotate-secret', ...admin },
  { method: 'POST', path: '/v1/console/webhooks/{webhook_id}/test', ...admin },
  { method: 'GET', path: '/v1/console/webhooks/{webhook_id}/deliveries', ...admin },
  { method: 'POST', path: '/v1/console/webhooks/{webhook_id}/deliveries/{delivery_id}/retry', ...admin },
]
