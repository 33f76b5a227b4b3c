import type {
  CreateWebhook,
  Deleted,
  Delivery,
  ListDeliveriesQuery,
  UpdateWebhook,
  Webhook,
  WebhookWithSecret,
} from '@cairn/contract'
import { type CallOptions, path, type Transport } from './transport.ts'

export interface DeliveryPage {
  deliveries: Delivery[]
  /** `query.cursor` of the next page; undefined on the last one. */
  nextCursor: string | undefined
}

/** Console calls for webhooks. */
export function webhookCalls(transport: Transport) {
  const ofProject = (projectId: string) => path`/v1/console/projects/${projectId}/webhooks`
  const one = (webhookId: string) => path`/v1/console/webhooks/${webhookId}`

  return {
    /** `secret` in the answer is shown this once. */
    create: (projectId: string, webhook: CreateWebhook, options?: CallOptions) =>
      transport.json<WebhookWithSecret>('POST', ofProject(projectId), { body: webhook, ...options }),
    list: (projectId: string, options?: CallOptions) =>
      transport.json<Webhook[]>('GET', ofProject(projectId), options),
    get: (webhookId: string, options?: CallOptions) =>
      transport.json<Webhook>('GET', one(webhookId), options),
    update: (webhookId: string, changes: UpdateWebhook, options?: CallOptions) =>
      transport.json<Webhook>('PATCH', one(webhookId), { body: changes, ...options }),
    /** With its deliveries. */
    delete: (webhookId: string, options?: CallOptions) =>
      transport.json<Deleted>('DELETE', one(webhookId), options),
    /** The new `secret` is shown this once; for 24 hours the old one signs too. */
    rotateSecret: (webhookId: string, options?: CallOptions) =>
      transport.json<WebhookWithSecret>('POST', `${one(webhookId)}/rotate-secret`, options),
    /** Queues a test event for this webhook alone. */
    test: (webhookId: string, options?: CallOptions) =>
      transport.json<Delivery>('POST', `${one(webhookId)}/test`, options),
    /** One page of the delivery log, newest first. */
    deliveries: async (
      webhookId: string,
      query: ListDeliveriesQuery = {},
      options?: CallOptions,
    ): Promise<DeliveryPage> => {
      const response = await transport.send('GET', `${one(webhookId)}/deliveries`, { query, ...options })
      const deliveries = (await response.json()) as Delivery[]
      return { deliveries, nextCursor: response.headers.get('x-next-cursor') ?? undefined }
    },
    /** Tries a delivery again now. */
    retryDelivery: (webhookId: string, deliveryId: string, options?: CallOptions) =>
      transport.json<Delivery>('POST', one(webhookId) + path`/deliveries/${deliveryId}/retry`, options),
  }
}
