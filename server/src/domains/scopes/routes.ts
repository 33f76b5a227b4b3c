import { ChatParams, ChatScopes, ClearedScopes, ConfiguredScopes, ConfigureScopes } from '@cairn/contract'
import { chatKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { ScopeService } from './service.ts'

const tags = ['Scopes']

export function scopeRoutes(app: App, scopes: ScopeService): void {
  app.post(
    '/v1/:chat_id/scopes/configure',
    {
      config: { access: chatKey('write') },
      schema: {
        tags,
        operationId: 'configureScopes',
        summary: 'Configure the scopes of the documents in the chat; replaces the previous configuration',
        params: ChatParams,
        body: ConfigureScopes,
        response: { 200: ConfiguredScopes },
      },
    },
    (request) => scopes.configure(request.params.chat_id, request.body),
  )

  app.get(
    '/v1/:chat_id/scopes',
    {
      config: { access: chatKey('read') },
      schema: {
        tags,
        operationId: 'listScopes',
        summary: 'List the configured scopes',
        params: ChatParams,
        response: { 200: ChatScopes },
      },
    },
    (request) => scopes.list(request.params.chat_id),
  )

  app.delete(
    '/v1/:chat_id/scopes',
    {
      config: { access: chatKey('write') },
      schema: {
        tags,
        operationId: 'clearScopes',
        summary: 'Clear the configuration; documents keep their values',
        params: ChatParams,
        response: { 200: ClearedScopes },
      },
    },
    (request) => scopes.clear(request.params.chat_id),
  )
}
