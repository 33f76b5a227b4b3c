import { ChatParams, UploadedFile, UploadForm } from '@cairn/contract'
import { chatKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { clientSignal } from '../../http/sse.ts'
import { readUploadForm } from '../../http/upload-form.ts'
import type { DocumentService } from './upload/index.ts'

export function documentRoutes(
  app: App,
  documents: DocumentService,
  options: { maxFileBytes: number },
): void {
  app.post(
    '/v1/:chat_id/upload_with_scopes',
    {
      config: { access: chatKey('write'), form: UploadForm },
      schema: {
        tags: ['Documents'],
        operationId: 'uploadFile',
        summary: 'Upload a file; responds when it is searchable',
        params: ChatParams,
        response: { 200: UploadedFile },
      },
    },
    async (request, reply) => {
      const { file, fields } = await readUploadForm(request, options.maxFileBytes, ['scope_values'])
      const signal = clientSignal(reply)
      return documents.upload({
        chatId: request.params.chat_id,
        ...file,
        scopeValues: fields.scope_values,
        signal,
      })
    },
  )
}
