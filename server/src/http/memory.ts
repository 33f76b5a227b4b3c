import type { FastifyRequest } from 'fastify'
import type { MemoryBudget } from '../lib/memory-budget.ts'
import { onAnswerEnd } from './answer-end.ts'
import type { App } from './fastify.ts'
import { tenantOf } from './tenant.ts'

/** A body of at least this size is heavy. */
const heavyBodyBytes = 1_000_000

/** A body without a Content-Length may have any size. */
function hasLargeBody({ headers }: FastifyRequest): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) >= heavyBodyBytes
}

/** Whether the request searches the texts of a project's traces. */
function isSearch({ params, query }: FastifyRequest): boolean {
  const { project_id } = (params ?? {}) as { project_id?: string }
  const { q } = (query ?? {}) as { q?: string }
  return project_id !== undefined && Boolean(q)
}

/** Large bodies, text searches in traces, and routes with `heavy` in their `config`. */
function isHeavy(request: FastifyRequest): boolean {
  return request.routeOptions.config.heavy === true || isSearch(request) || hasLargeBody(request)
}

/** The memory budget admits heavy requests after authorization. Other requests are not affected. */
export function registerMemoryAdmission(app: App, budget: MemoryBudget): void {
  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config
    if (!access || access.credential === 'none' || !isHeavy(request)) return
    const [projectId] = tenantOf(request)
    onAnswerEnd(reply, budget.enter(projectId))
  })
}
