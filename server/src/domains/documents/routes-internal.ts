import {
  ChatContents,
  ChatParams,
  CleanedUp,
  CleanUpQuery,
  CreatedNodes,
  CreateNodes,
  DeletedNodes,
  ExtractedText,
  ExtractForm,
  RemovedContext,
  RemovedFileParams,
} from '@cairn/contract'
import { administratorOrChatKey, administratorOrKeyOf } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { clientSignal } from '../../http/sse.ts'
import { tenantOf } from '../../http/tenant.ts'
import { readUploadForm } from '../../http/upload-form.ts'
import type { CleanupService } from './delete/index.ts'
import type { FileService } from './files.ts'
import type { TextService } from './upload/index.ts'

const tags = ['Internal']

export interface InternalServices {
  texts: TextService
  files: FileService
  cleanup: CleanupService
}

/** Internal endpoints for dashboards. They accept an administrator or a key of the chat. */
export function internalRoutes(
  app: App,
  { texts, files, cleanup }: InternalServices,
  options: { maxFileBytes: number },
): void {
  app.post(
    '/create_nodes_and_embeddings',
    {
      config: {
        access: administratorOrKeyOf({ place: 'body', of: 'chat', fields: ['chat_id'] }),
      },
      schema: {
        tags,
        operationId: 'createDocument',
        summary: 'Store a text as a document; responds when it is searchable',
        body: CreateNodes,
        response: { 200: CreatedNodes },
      },
    },
    (request) => texts.create(request.body),
  )

  app.post(
    '/extract-pdf-text',
    {
      config: { access: administratorOrKeyOf({ place: 'none' }), form: ExtractForm },
      schema: {
        tags,
        operationId: 'extractText',
        summary: 'Extract the text of a file of any supported type; nothing is stored',
        response: { 200: ExtractedText },
      },
    },
    async (request, reply) => {
      const { file } = await readUploadForm(request, options.maxFileBytes, [])
      return texts.extractText(tenantOf(request), file, clientSignal(reply))
    },
  )

  app.delete(
    '/remove_context/:file_id',
    {
      config: { access: administratorOrKeyOf({ place: 'path', of: 'file' }) },
      schema: {
        tags,
        operationId: 'deleteDocument',
        summary: 'Delete a document with its chunks',
        params: RemovedFileParams,
        response: { 200: RemovedContext },
      },
    },
    (request) => files.removeContext(request.chatId, request.params.file_id),
  )

  app.get(
    '/debug_chat_data/:chat_id',
    {
      config: { access: administratorOrChatKey },
      schema: {
        tags,
        operationId: 'getChatDocuments',
        summary: 'List the documents of a chat with their chunk counts',
        params: ChatParams,
        response: { 200: ChatContents },
      },
    },
    (request) => cleanup.inspect(request.params.chat_id),
  )

  app.delete(
    '/delete_chat_nodes/:chat_id',
    {
      config: { access: administratorOrChatKey },
      schema: {
        tags,
        operationId: 'deleteChatDocuments',
        summary: 'Delete all documents of a chat; the chat stays',
        params: ChatParams,
        response: { 200: DeletedNodes },
      },
    },
    (request) => cleanup.empty(request.params.chat_id),
  )

  app.post(
    '/cleanup_chat_data/:chat_id',
    {
      config: { access: administratorOrChatKey },
      schema: {
        tags,
        operationId: 'deleteChatData',
        summary: 'Delete a chat and other named chats with all their data; a key may only name its own chat',
        params: ChatParams,
        querystring: CleanUpQuery,
        response: { 200: CleanedUp },
      },
    },
    (request) => cleanup.deleteChats(request.params.chat_id, request.query, request.principal?.chatId),
  )
}
