import { ServerStatus } from '@cairn/contract'
import { administrator } from './access.ts'
import type { App } from './fastify.ts'

/** The state and load of this process, for the server's page. */
export function serverStatusRoutes(app: App, status: () => ServerStatus): void {
  app.get(
    '/v1/console/server',
    {
      config: { access: administrator },
      schema: {
        tags: ['Server'],
        operationId: 'getServerStatus',
        summary: 'Restarts, memory, queues and limits of the server process that responds',
        response: { 200: ServerStatus },
      },
    },
    async () => status(),
  )
}
