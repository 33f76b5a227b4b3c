import {
  ChatParams,
  DeletedNodes,
  GraphData,
  GraphNode,
  GraphStatus,
  NodeParams,
  UpdateNode,
} from '@cairn/contract'
import { administratorOrChatKey, administratorOrKeyOf } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { clientSignal } from '../../http/sse.ts'
import { sendPieces } from '../../http/stream.ts'
import { tenantOf } from '../../http/tenant.ts'
import type { GraphService } from './service.ts'

const tags = ['Graph']
const ofNode = { access: administratorOrKeyOf({ place: 'path', of: 'node' }) }

export function graphRoutes(app: App, graph: GraphService): void {
  app.get(
    '/graph_data/:chat_id',
    {
      config: { access: administratorOrChatKey, heavy: true },
      schema: {
        tags,
        operationId: 'getGraph',
        summary: 'Get the documents and chunks of a chat with their relationships',
        params: ChatParams,
        response: { 200: GraphData },
      },
    },
    async (request, reply) => {
      const { chat_id } = request.params
      const pieces = graph.readAsJson(chat_id, tenantOf(request), clientSignal(reply))
      await sendPieces(reply, pieces, { headers: { 'content-type': 'application/json; charset=utf-8' } })
      return reply
    },
  )

  app.get(
    '/graph_status/:chat_id',
    {
      config: { access: administratorOrChatKey },
      schema: {
        tags,
        operationId: 'getGraphStatus',
        summary: 'Count the documents of a chat that still wait for their relationships',
        params: ChatParams,
        response: { 200: GraphStatus },
      },
    },
    (request) => graph.status(request.params.chat_id),
  )

  app.get(
    '/node_details/:node_id',
    {
      config: ofNode,
      schema: {
        tags,
        operationId: 'getNode',
        summary: 'Get a document or chunk',
        params: NodeParams,
        response: { 200: GraphNode },
      },
    },
    (request) => graph.node(request.chatId, request.params.node_id),
  )

  app.put(
    '/update_node/:node_id',
    {
      config: ofNode,
      schema: {
        tags,
        operationId: 'updateNode',
        summary: 'Set the file name of a document, the text of a chunk, or custom properties of either',
        params: NodeParams,
        body: UpdateNode,
        response: { 200: GraphNode },
      },
    },
    (request) => graph.update(request.chatId, request.params.node_id, request.body),
  )

  app.delete(
    '/delete_node/:node_id',
    {
      config: ofNode,
      schema: {
        tags,
        operationId: 'deleteNode',
        summary: 'Delete a document with its chunks, or a chunk; deleting its last chunk deletes a document',
        params: NodeParams,
        response: { 200: DeletedNodes },
      },
    },
    (request) => graph.delete(request.chatId, request.params.node_id),
  )
}
