import { CairnError } from '@cairn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SharedBudget } from '../lib/shared-budget.ts'
import { onAnswerEnd } from './answer-end.ts'
import type { App } from './fastify.ts'
import { tenantOf } from './tenant.ts'

/** Smaller bodies are not counted. */
const countedBytes = 256 * 1024

/** The maximum size of the body; 0 without a body. */
function announcedBytes({ headers, method, routeOptions, is404 }: FastifyRequest): number {
  if (is404 || method === 'GET' || method === 'HEAD') return 0
  const most = routeOptions.bodyLimit
  if (headers['transfer-encoding'] !== undefined) return most
  const announced = Number(headers['content-length'] ?? 0)
  // The server holds only a small part of a body that exceeds the limit.
  return announced > most && !routeOptions.config.form ? 0 : announced
}

/**
 * Bounds the memory of large bodies. Each body reserves a part of a budget before it is read and until its request is
 * answered. A tenant without room gets 503. Register it after authorization.
 */
export function registerBodyBudget(app: App, maxBytes: number): void {
  const budget = new SharedBudget(maxBytes)
  const reserve = (request: FastifyRequest, reply: FastifyReply, bytes: number): (() => void) => {
    if (bytes <= countedBytes) return () => {}
    const giveBack = budget.take(tenantOf(request), bytes)
    if (giveBack) {
      onAnswerEnd(reply, giveBack)
      return giveBack
    }
    throw new CairnError(
      'overloaded',
      'large requests in progress use all bytes that they may (CAIRN_MAX_BODY_BYTES_UNDER_WAY); try again shortly',
      { retryAfter: 1 },
    )
  }
  app.decorateRequest('reserveBody', undefined)
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.unpacks) request.reserveBody = (bytes) => reserve(request, reply, bytes)
    reserve(request, reply, announcedBytes(request))
  })
}
