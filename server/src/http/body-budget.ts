import { CairnError } from '@cairn/contract'
import type { FastifyRequest } from 'fastify'
import { SharedBudget } from '../lib/shared-budget.ts'
import type { App } from './fastify.ts'
import { tenantOf } from './tenant.ts'

/** Smaller bodies are not counted. */
const countedBytes = 256 * 1024

/** Bytes that the body may come to; 0 where there is none. */
function announcedBytes({ headers, method, routeOptions, is404 }: FastifyRequest): number {
  if (is404 || method === 'GET' || method === 'HEAD') return 0
  const most = routeOptions.bodyLimit
  if (headers['transfer-encoding'] !== undefined) return most
  const announced = Number(headers['content-length'] ?? 0)
  // Of a body that is too large no more than a piece is held.
  return announced > most && !routeOptions.config.form ? 0 : announced
}

/**
 * Bounds the memory of large bodies: each holds its part of a budget from before it is read until its request is
 * answered. A tenant that has no room left gets 503. To be registered behind authorization.
 */
export function registerBodyBudget(app: App, maxBytes: number): void {
  const budget = new SharedBudget(maxBytes)
  app.addHook('onRequest', async (request, reply) => {
    const bytes = announcedBytes(request)
    if (bytes <= countedBytes) return
    const giveBack = budget.take(tenantOf(request), bytes)
    if (giveBack) reply.raw.once('close', giveBack)
    else {
      throw new CairnError(
        'overloaded',
        'too many bytes of large requests are under way (CAIRN_MAX_BODY_BYTES_UNDER_WAY); try again shortly',
        { retryAfter: 1 },
      )
    }
  })
}
