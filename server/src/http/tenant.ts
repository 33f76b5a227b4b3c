import type { FastifyRequest } from 'fastify'
import type { Tenant } from '../lib/fair-queue.ts'

/** The tenant of administrator requests without a project or chat. */
const consoleTenant: Tenant = ['console']

/**
 * The tenant of a request, for queues that tenants share: the end user, the project of the key, or the project in the
 * administrator's request.
 */
export function tenantOf({ user, principal, params }: FastifyRequest): Tenant {
  if (user) return [user.projectId, user.userId]
  if (principal) return [principal.projectId]
  const { project_id } = (params ?? {}) as { project_id?: string }
  return project_id === undefined ? consoleTenant : [project_id]
}
