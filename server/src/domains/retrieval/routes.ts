import { ChatParams, EmbeddingProgress, ServerEmbedding } from '@cairn/contract'
import { administrator } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { EmbeddingService } from './embedding-service.ts'

const config = { access: administrator }

/** Console endpoints for the progress of embedding documents. */
export function embeddingRoutes(app: App, embedding: EmbeddingService): void {
  app.get(
    '/v1/console/chats/:chat_id/embedding',
    {
      config,
      schema: {
        tags: ['Console: chats'],
        operationId: 'getEmbeddingProgress',
        summary: 'Get how many chunks of a chat have vectors of its embedding model',
        params: ChatParams,
        response: { 200: EmbeddingProgress },
      },
    },
    (request) => embedding.progress(request.params.chat_id),
  )

  app.get(
    '/v1/console/embedding',
    {
      config,
      schema: {
        tags: ['Models'],
        operationId: 'getServerEmbedding',
        summary: "Get how many chunks of all chats have vectors of the server's embedding model",
        response: { 200: ServerEmbedding },
      },
    },
    () => embedding.serverProgress(),
  )
}
