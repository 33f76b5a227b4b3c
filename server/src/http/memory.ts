import type { FastifyRequest } from 'fastify'
import type { MemoryBudget } from '../lib/memory-budget.ts'
import type { App } from './fastify.ts'
import { tenantOf } from './tenant.ts'

/** A body from this size on is heavy. */
const heavyBodyBytes = 1_000_000

/** A body without a stated length may be of any size. */
function hasLargeBody({ headers }: FastifyRequest): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) >= heavyBodyBytes
}

/** Whether the texts of a project's traces are searched. */
function isSearch({ params, query }: FastifyRequest): boolean {
  const { project_id } = (params ?? {}) as { project_id?: string }
  const { q } = (query ?? {}) as { q?: string }
  return project_id !== undefined && Boolean(q)
}

/** Large bodies, searches in the text of traces, and routes that say so in their `config`. */
function isHeavy(request: FastifyRequest): boolean {
  return request.routeOptions.config.heavy === true || isSearch(request) || hasLargeBody(request)
}

/** Heavy requests are admitted by the memory budget once they are authorized; all others are not affected. */
export function registerMemoryAdmission(app: App, budget: MemoryBudget): void {
  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config
    if (!access || access.credential === 'none' || !isHeavy(request)) return
    const [projectId] = tenantOf(request)
    reply.raw.once('close', budget.enter(projectId))
  })
}
