import {
  ChangedSettings,
  ChatParams,
  ChatSettingsAnswer,
  limits,
  Publication,
  UpdateSettings,
} from '@cairn/contract'
import { Type } from 'typebox'
import { administrator, chatKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { ChatService } from './service.ts'

const tags = ['Chat']

/** Endpoints for the settings of a chat (with keys of the chat), and for earlier published settings (console). */
export function chatSettingsRoutes(app: App, chats: ChatService): void {
  app.get(
    '/v1/:chat_id/settings',
    {
      config: { access: chatKey('read') },
      schema: {
        tags,
        operationId: 'getChatSettings',
        summary: 'Get the published settings, or the draft if none are published',
        params: ChatParams,
        response: { 200: ChatSettingsAnswer },
      },
    },
    (request) => chats.settings(request.params.chat_id),
  )

  app.post(
    '/v1/:chat_id/settings',
    {
      config: { access: chatKey('write') },
      schema: {
        tags,
        operationId: 'updateChatSettings',
        summary: 'Change any of the settings and publish them at once',
        params: ChatParams,
        body: UpdateSettings,
        response: { 200: ChangedSettings },
      },
    },
    (request) => chats.publishChanges(request.params.chat_id, request.body),
  )

  app.get(
    '/v1/console/chats/:chat_id/history',
    {
      config: { access: administrator },
      schema: {
        tags: ['Console: chats'],
        operationId: 'listPublications',
        summary: `List the most recent publications of the settings, newest first; at most ${limits.publicationsKept}`,
        params: ChatParams,
        response: { 200: Type.Array(Publication) },
      },
    },
    (request) => chats.history(request.params.chat_id),
  )
}
