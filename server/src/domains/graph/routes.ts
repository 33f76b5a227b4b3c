import { ChatParams, GraphData } from '@cairn/contract'
import { administratorOrChatKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { GraphService } from './service.ts'

export function graphRoutes(app: App, graph: GraphService): void {
  app.get(
    '/graph_data/:chat_id',
    {
      config: { access: administratorOrChatKey },
      schema: {
        tags: ['Graph'],
        summary: 'The documents and chunks of a chat and their relationships',
        params: ChatParams,
        response: { 200: GraphData },
      },
    },
    (request) => graph.read(request.params.chat_id),
  )
}
