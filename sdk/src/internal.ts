import type {
  ChatContents,
  CleanedUp,
  CleanUpQuery,
  CreatedNodes,
  CreateNodes,
  CreateRelationship,
  DeletedNodes,
  ExtractedText,
  GraphData,
  GraphNode,
  GraphRelationship,
  GraphStatus,
  InternalQuery,
  QueryResponse,
  RemovedContext,
  UpdateNode,
  UpdateRelationship,
} from '@cairn/contract'
import { streamAnswer } from './answer-stream.ts'
import { type CallOptions, type ClientOptions, path, Transport } from './transport.ts'

/** Calls that need the admin token, or a key of the chat with the permission `admin`. */
export function internalCalls(client: ClientOptions) {
  const transport = new Transport(client, 'admin-or-key')

  return {
    graph: {
      read: (chatId: string, options?: CallOptions) =>
        transport.json<GraphData>('GET', path`/graph_data/${chatId}`, options),
      /** How many documents have no relationships yet. The server makes relationships after the upload. */
      status: (chatId: string, options?: CallOptions) =>
        transport.json<GraphStatus>('GET', path`/graph_status/${chatId}`, options),
      node: (nodeId: string, options?: CallOptions) =>
        transport.json<GraphNode>('GET', path`/node_details/${nodeId}`, options),
      /** Properties that are left out stay unchanged; null removes a property. */
      updateNode: (nodeId: string, properties: UpdateNode, options?: CallOptions) =>
        transport.json<GraphNode>('PUT', path`/update_node/${nodeId}`, { body: properties, ...options }),
      /** Deletes a chunk, or a document with its chunks. A document without chunks is deleted too. */
      deleteNode: (nodeId: string, options?: CallOptions) =>
        transport.json<DeletedNodes>('DELETE', path`/delete_node/${nodeId}`, options),
      createRelationship: (relationship: CreateRelationship, options?: CallOptions) =>
        transport.json<GraphRelationship>('POST', '/create_relationship', { body: relationship, ...options }),
      updateRelationship: (relationshipId: string, properties: UpdateRelationship, options?: CallOptions) =>
        transport.json<GraphRelationship>('PUT', path`/update_relationship/${relationshipId}`, {
          body: properties,
          ...options,
        }),
      deleteRelationship: (relationshipId: string, options?: CallOptions) =>
        transport.json<DeletedNodes>('DELETE', path`/delete_relationship/${relationshipId}`, options),
    },
    internal: {
      /** Creates a document from a text. Resolves when it is on disk and searchable. */
      createDocument: (document: CreateNodes, options?: CallOptions) =>
        transport.json<CreatedNodes>('POST', '/create_nodes_and_embeddings', { body: document, ...options }),
      /** Extracts the text of a file of any supported type; stores nothing. The endpoint's name is historical. */
      extractPdf: (file: Blob, filename: string, options?: CallOptions) => {
        const form = new FormData()
        form.set('file', file, filename)
        return transport.json<ExtractedText>('POST', '/extract-pdf-text', { body: form, ...options })
      },
      /** Asks a question with the draft settings. */
      ask: (question: InternalQuery, options?: CallOptions) =>
        transport.json<QueryResponse>('POST', '/answer_question', { body: question, ...options }),
      /** `ask` as events; see `streamAnswer`. */
      stream: (question: InternalQuery, options?: CallOptions) =>
        streamAnswer(transport, '/answer_question_stream', question, options),
      removeDocument: (fileId: string, options?: CallOptions) =>
        transport.json<RemovedContext>('DELETE', path`/remove_context/${fileId}`, options),
      inspectChat: (chatId: string, options?: CallOptions) =>
        transport.json<ChatContents>('GET', path`/debug_chat_data/${chatId}`, options),
      /** Deletes all documents; the chat stays. */
      emptyChat: (chatId: string, options?: CallOptions) =>
        transport.json<DeletedNodes>('DELETE', path`/delete_chat_nodes/${chatId}`, options),
      /** Deletes this chat and the named chats, with all their data. */
      deleteChats: (chatId: string, others: CleanUpQuery = {}, options?: CallOptions) =>
        transport.json<CleanedUp>('POST', path`/cleanup_chat_data/${chatId}`, { query: others, ...options }),
    },
  }
}

export type InternalCalls = ReturnType<typeof internalCalls>
