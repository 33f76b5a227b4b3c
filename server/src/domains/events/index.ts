export { deliveryJobs } from './delivery.ts'
export { eventRoutes } from './routes.ts'
export { userEventRoutes } from './routes-me.ts'
export { webhookRoutes } from './routes-webhooks.ts'
export { EventService } from './service.ts'
export {
  createEventStore,
  deliveryQueue,
  eventStatements,
  hasEvent,
  type NewEvent,
  recordEvent,
  recordEvents,
} from './store.ts'
export { createWebhookStore } from './store-webhooks.ts'
export { WebhookService } from './webhooks.ts'
