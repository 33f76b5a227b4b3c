import { ServerStatus } from '@cairn/contract'
import { administrator } from './access.ts'
import type { App } from './fastify.ts'

/** How this process is and what it is busy with; the server's page shows it. */
export function serverStatusRoutes(app: App, status: () => ServerStatus): void {
  app.get(
    '/v1/console/server',
    {
      config: { access: administrator },
      schema: {
        tags: ['Console: server'],
        summary: 'Restarts, memory, queues and limits of the server process that answers',
        response: { 200: ServerStatus },
      },
    },
    async () => status(),
  )
}
