import {
  Chat,
  ChatInfo,
  ChatParams,
  CreateChat,
  CreatedKey,
  CreateKey,
  Deleted,
  Key,
  ProjectParams,
  UpdateChat,
} from '@cairn/contract'
import { Type } from 'typebox'
import { administrator, chatKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import type { ChatService } from './service.ts'

const config = { access: administrator }
const tags = ['Console: chats']

/** Console endpoints for chats and their keys, and the endpoint with which a chat's key reads the chat. */
export function chatRoutes(app: App, chats: ChatService): void {
  app.post(
    '/v1/console/projects/:project_id/chats',
    {
      config,
      schema: {
        tags,
        operationId: 'createChat',
        summary: 'Create a chat',
        params: ProjectParams,
        body: CreateChat,
        response: { 201: Chat },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await chats.create(request.params.project_id, request.body)),
  )

  app.get(
    '/v1/console/projects/:project_id/chats',
    {
      config,
      schema: {
        tags,
        operationId: 'listChats',
        summary: "List a project's chats",
        params: ProjectParams,
        response: { 200: Type.Array(Chat) },
      },
    },
    (request) => chats.list(request.params.project_id),
  )

  app.get(
    '/v1/console/chats/:chat_id',
    {
      config,
      schema: {
        tags,
        operationId: 'getChat',
        summary: 'Read a chat',
        params: ChatParams,
        response: { 200: Chat },
      },
    },
    (request) => chats.get(request.params.chat_id),
  )

  app.patch(
    '/v1/console/chats/:chat_id',
    {
      config,
      schema: {
        tags,
        operationId: 'updateChat',
        summary: "Change a chat's title, draft settings or API access",
        params: ChatParams,
        body: UpdateChat,
        response: { 200: Chat },
      },
    },
    (request) => chats.update(request.params.chat_id, request.body),
  )

  app.delete(
    '/v1/console/chats/:chat_id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteChat',
        summary: 'Delete a chat with its documents, settings and keys',
        params: ChatParams,
        response: { 200: Deleted },
      },
    },
    (request) => chats.delete(request.params.chat_id),
  )

  app.post(
    '/v1/console/chats/:chat_id/publish',
    {
      config,
      schema: {
        tags,
        operationId: 'publishChat',
        summary: 'Publish the draft settings',
        params: ChatParams,
        response: { 200: Chat },
      },
    },
    (request) => chats.publish(request.params.chat_id),
  )

  app.post(
    '/v1/console/chats/:chat_id/unpublish',
    {
      config,
      schema: {
        tags,
        operationId: 'unpublishChat',
        summary: 'Withdraw the published settings',
        params: ChatParams,
        response: { 200: Chat },
      },
    },
    (request) => chats.unpublish(request.params.chat_id),
  )

  app.post(
    '/v1/console/chats/:chat_id/keys',
    {
      config,
      schema: {
        tags,
        operationId: 'createChatKey',
        summary: 'Create an API key of a chat; enables API access if the chat has no other key',
        params: ChatParams,
        body: CreateKey,
        response: { 201: CreatedKey },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await chats.createKey(request.params.chat_id, request.body)),
  )

  app.get(
    '/v1/console/chats/:chat_id/keys',
    {
      config,
      schema: {
        tags,
        operationId: 'listChatKeys',
        summary: "List a chat's keys",
        params: ChatParams,
        response: { 200: Type.Array(Key) },
      },
    },
    (request) => chats.listKeys(request.params.chat_id),
  )

  app.get(
    '/v1/:chat_id/info',
    {
      config: { access: chatKey('read') },
      schema: {
        tags: ['Chat'],
        operationId: 'getChatInfo',
        summary: 'Get information about the chat',
        params: ChatParams,
        response: { 200: ChatInfo },
      },
    },
    (request) => chats.info(request.params.chat_id),
  )
}
