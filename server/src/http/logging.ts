import type { App } from './fastify.ts'

/**
 * One line a request, with the route's pattern and never its URL: ids of users, file names and questions may
 * be part of that. Headers and bodies are not logged at any level.
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
