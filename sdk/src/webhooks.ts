import type {
  CreateWebhook,
  Deleted,
  Delivery,
  ListDeliveriesQuery,
  UpdateWebhook,
  Webhook,
  WebhookWithSecret,
} from '@cairn/contract'
import type { Page } from './pages.ts'
import { type CallOptions, path, type Transport } from './transport.ts'

export interface DeliveryPage extends Page {
  deliveries: Delivery[]
}

/** Console calls for webhooks. */
export function webhookCalls(transport: Transport) {
  const ofProject = (projectId: string) => path`/v1/console/projects/${projectId}/webhooks`
  const one = (webhookId: string) => path`/v1/console/webhooks/${webhookId}`

  return {
    /** `secret` is only in this response; the server does not show it again. */
    create: (projectId: string, webhook: CreateWebhook, options?: CallOptions) =>
      transport.json<WebhookWithSecret>('POST', ofProject(projectId), { body: webhook, ...options }),
    list: (projectId: string, options?: CallOptions) =>
      transport.json<Webhook[]>('GET', ofProject(projectId), options),
    get: (webhookId: string, options?: CallOptions) =>
      transport.json<Webhook>('GET', one(webhookId), options),
    update: (webhookId: string, changes: UpdateWebhook, options?: CallOptions) =>
      transport.json<Webhook>('PATCH', one(webhookId), { body: changes, ...options }),
    /** Deletes the webhook with its deliveries. */
    delete: (webhookId: string, options?: CallOptions) =>
      transport.json<Deleted>('DELETE', one(webhookId), options),
    /** The new `secret` is only in this response. For 24 hours, deliveries are also signed with the previous secret. */
    rotateSecret: (webhookId: string, options?: CallOptions) =>
      transport.json<WebhookWithSecret>('POST', `${one(webhookId)}/rotate-secret`, options),
    /** Queues a test event for this webhook only. */
    test: (webhookId: string, options?: CallOptions) =>
      transport.json<Delivery>('POST', `${one(webhookId)}/test`, options),
    /** One page of the delivery log, newest first. */
    deliveries: async (
      webhookId: string,
      query: ListDeliveriesQuery = {},
      options?: CallOptions,
    ): Promise<DeliveryPage> => {
      const { page: deliveries, nextCursor } = await transport.page<Delivery[]>(
        `${one(webhookId)}/deliveries`,
        { query, ...options },
      )
      return { deliveries, nextCursor }
    },
    /** Every delivery, newest first, fetched page by page. */
    eachDelivery: (webhookId: string, query: ListDeliveriesQuery = {}, options?: CallOptions) =>
      transport.each<Delivery>(`${one(webhookId)}/deliveries`, { query, ...options }),
    /** Tries a delivery again immediately. */
    retryDelivery: (webhookId: string, deliveryId: string, options?: CallOptions) =>
      transport.json<Delivery>('POST', one(webhookId) + path`/deliveries/${deliveryId}/retry`, options),
  }
}
