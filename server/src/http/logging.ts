import type { App } from './fastify.ts'

/**
 * Logs one line per request with the pattern of the route. The URL is never logged, because it may contain user ids,
 * file names and questions. Headers and bodies are not logged at any level.
 */
export function registerRequestLog(app: App): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unmatched',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        key_id: request.principal?.keyId,
      },
      'request',
    )
  })
}
