import {
  CreateWebhook,
  Deleted,
  Delivery,
  DeliveryParams,
  ListDeliveriesQuery,
  ProjectParams,
  UpdateWebhook,
  Webhook,
  WebhookParams,
  WebhookWithSecret,
} from '@cairn/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { linkNextPage } from '../../http/paging.ts'
import type { WebhookService } from './webhooks.ts'

const config = { access: administrator }
const tags = ['Webhooks']

export function webhookRoutes(app: App, webhooks: WebhookService): void {
  app.post(
    '/v1/console/projects/:project_id/webhooks',
    {
      config,
      schema: {
        tags,
        operationId: 'createWebhook',
        summary: 'Register a webhook; only this response contains its secret',
        params: ProjectParams,
        body: CreateWebhook,
        response: { 201: WebhookWithSecret },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await webhooks.create(request.params.project_id, request.body)),
  )

  app.get(
    '/v1/console/projects/:project_id/webhooks',
    {
      config,
      schema: {
        tags,
        operationId: 'listWebhooks',
        summary: "List a project's webhooks, oldest first",
        params: ProjectParams,
        response: { 200: Type.Array(Webhook) },
      },
    },
    (request) => webhooks.list(request.params.project_id),
  )

  app.get(
    '/v1/console/webhooks/:webhook_id',
    {
      config,
      schema: {
        tags,
        operationId: 'getWebhook',
        summary: 'Read a webhook',
        params: WebhookParams,
        response: { 200: Webhook },
      },
    },
    (request) => webhooks.get(request.params.webhook_id),
  )

  app.patch(
    '/v1/console/webhooks/:webhook_id',
    {
      config,
      schema: {
        tags,
        operationId: 'updateWebhook',
        summary: 'Change, enable or disable a webhook',
        params: WebhookParams,
        body: UpdateWebhook,
        response: { 200: Webhook },
      },
    },
    (request) => webhooks.update(request.params.webhook_id, request.body),
  )

  app.delete(
    '/v1/console/webhooks/:webhook_id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook with its deliveries',
        params: WebhookParams,
        response: { 200: Deleted },
      },
    },
    (request) => webhooks.delete(request.params.webhook_id),
  )

  app.post(
    '/v1/console/webhooks/:webhook_id/rotate-secret',
    {
      config,
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Create a new secret; the old one also signs for 24 hours',
        params: WebhookParams,
        response: { 200: WebhookWithSecret },
      },
    },
    (request) => webhooks.rotateSecret(request.params.webhook_id),
  )

  app.post(
    '/v1/console/webhooks/:webhook_id/test',
    {
      config,
      schema: {
        tags,
        operationId: 'testWebhook',
        summary: 'Send a test event to this webhook',
        params: WebhookParams,
        response: { 200: Delivery },
      },
    },
    (request) => webhooks.test(request.params.webhook_id),
  )

  app.get(
    '/v1/console/webhooks/:webhook_id/deliveries',
    {
      config,
      schema: {
        tags,
        operationId: 'listDeliveries',
        summary: 'List deliveries, newest first',
        params: WebhookParams,
        querystring: ListDeliveriesQuery,
        response: { 200: Type.Array(Delivery) },
      },
    },
    async (request, reply) => {
      const { page, next } = await webhooks.listDeliveries(request.params.webhook_id, request.query)
      linkNextPage(request, reply, next)
      return page
    },
  )

  app.post(
    '/v1/console/webhooks/:webhook_id/deliveries/:delivery_id/retry',
    {
      config,
      schema: {
        tags,
        operationId: 'retryDelivery',
        summary: 'Send a delivery again now',
        params: DeliveryParams,
        response: { 200: Delivery },
      },
    },
    (request) => webhooks.retry(request.params.webhook_id, request.params.delivery_id),
  )
}
