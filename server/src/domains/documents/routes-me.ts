import {
  BulkUploaded,
  DeletedFile,
  FileList,
  limits,
  OwnUploadedFile,
  UserBulkForm,
  UserFileParams,
  UserUploadForm,
} from '@cairn/contract'
import { user } from '../../http/access.ts'
import { readContent, readContents } from '../../http/content-form.ts'
import { reportFailure } from '../../http/errors.ts'
import type { App } from '../../http/fastify.ts'
import { clientSignal } from '../../http/sse.ts'
import { userOf } from '../../http/user.ts'
import type { UserFileService } from './user-files.ts'

const tags = ['Users']
/**
 * Body limit for an urlencoded text, in which one byte takes up to three; 1 MiB is for the other fields of the form.
 */
const encodedBytes = (bytes: number) => 3 * bytes + 1024 * 1024

/** Endpoints with which end users manage their own files. */
export function userFileRoutes(
  app: App,
  files: UserFileService,
  { maxFileBytes }: { maxFileBytes: number },
): void {
  app.post(
    '/v1/me/chats/files/upload',
    {
      config: {
        access: user('upload'),
        form: UserUploadForm,
        takesUrlencoded: true,
        hasFiles: true,
      },
      bodyLimit: encodedBytes(maxFileBytes),
      schema: {
        tags,
        operationId: 'uploadMyFile',
        summary: 'Upload a file or a text of yours; responds when it is searchable',
        response: { 200: OwnUploadedFile },
      },
    },
    async (request, reply) => {
      const { content, scopeValues } = await readContent(request, maxFileBytes)
      return files.upload(userOf(request), content, scopeValues, clientSignal(reply))
    },
  )

  app.post(
    '/v1/me/chats/files/upload-bulk',
    {
      config: { access: user('bulk'), form: UserBulkForm, takesUrlencoded: true, hasFiles: true },
      bodyLimit: limits.bulkBytes,
      schema: {
        tags,
        operationId: 'uploadMyFiles',
        summary: 'Upload several files or texts of yours; each has a result of its own',
        response: { 200: BulkUploaded },
      },
    },
    async (request, reply) => {
      const { contents, scopeValues } = await readContents(request, maxFileBytes)
      const explain = (error: unknown) => reportFailure(error, request.log).message
      return files.uploadAll(userOf(request), contents, scopeValues, explain, clientSignal(reply))
    },
  )

  app.get(
    '/v1/me/chats/files',
    {
      config: { access: user() },
      schema: {
        tags,
        operationId: 'listMyFiles',
        summary: 'List your files, newest first',
        response: { 200: FileList },
      },
    },
    (request) => files.list(userOf(request)),
  )

  app.delete(
    '/v1/me/chats/files/:file_id',
    {
      config: { access: user() },
      schema: {
        tags,
        operationId: 'deleteMyFile',
        summary: 'Delete a file of yours with its chunks',
        params: UserFileParams,
        response: { 200: DeletedFile },
      },
    },
    (request) => files.delete(userOf(request), request.params.file_id),
  )
}
