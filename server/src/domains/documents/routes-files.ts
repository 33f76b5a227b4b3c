import {
  ChatParams,
  DeletedFile,
  FileChunks,
  FileChunksQuery,
  FileList,
  FileParams,
  FileStatus,
} from '@cairn/contract'
import { chatKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { FileService } from './files.ts'

const tags = ['Documents']

/** Endpoints for the files of a chat, called with keys of the chat. */
export function fileRoutes(app: App, files: FileService): void {
  app.get(
    '/v1/:chat_id/files',
    {
      config: { access: chatKey('read') },
      schema: {
        tags,
        operationId: 'listFiles',
        summary: "List a chat's files",
        params: ChatParams,
        response: { 200: FileList },
      },
    },
    (request) => files.list(request.params.chat_id),
  )

  app.get(
    '/v1/:chat_id/files/:file_id/status',
    {
      config: { access: chatKey('read') },
      schema: {
        tags,
        operationId: 'getFileStatus',
        summary: 'Get the processing status of a file',
        params: FileParams,
        response: { 200: FileStatus },
      },
    },
    (request) => files.status(request.params.chat_id, request.params.file_id),
  )

  app.get(
    '/v1/:chat_id/files/:file_id/chunks',
    {
      config: { access: chatKey('read') },
      schema: {
        tags,
        operationId: 'listFileChunks',
        summary: "A file's chunks in order, with their pages and headings",
        params: FileParams,
        querystring: FileChunksQuery,
        response: { 200: FileChunks },
      },
    },
    (request) => files.chunks(request.params.chat_id, request.params.file_id, request.query),
  )

  app.delete(
    '/v1/:chat_id/files/:file_id',
    {
      config: { access: chatKey('write') },
      schema: {
        tags,
        operationId: 'deleteFile',
        summary: 'Delete a file with its chunks and their relationships',
        params: FileParams,
        response: { 200: DeletedFile },
      },
    },
    (request) => files.deleteForApi(request.params.chat_id, request.params.file_id),
  )
}
