import type { FastifyRequest } from 'fastify'
import type { Tenant } from '../lib/fair-queue.ts'

/** The tenant of requests that the administrator makes about no project or chat. */
const consoleTenant: Tenant = ['console']

/**
 * Who a request is served for, for queues that share something among tenants: the end user, the project of the key, or
 * the project that the administrator asks about.
 */
export function tenantOf({ user, principal, params }: FastifyRequest): Tenant {
  if (user) return [user.projectId, user.userId]
  if (principal) return [principal.projectId]
  const { project_id } = (params ?? {}) as { project_id?: string }
  return project_id === undefined ? consoleTenant : [project_id]
}
