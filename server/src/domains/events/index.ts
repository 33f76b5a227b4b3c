/*
 * The event log, and webhooks with their deliveries.
 *
 * The transaction of a change writes its event, and the same statements write a delivery and a job for each subscribed
 * webhook. The runner wakes up after a commit in its own process, and polls once per second for commits of others. It sends
 * deliveries with a fetch that connects only to public addresses. Full events of end users are in `user_events`, which no
 * query of a developer reads.
 */

export { deliveryJobs } from './delivery.ts'
export { eventRoutes } from './routes.ts'
export { userEventRoutes } from './routes-me.ts'
export { webhookRoutes } from './routes-webhooks.ts'
export { EventService } from './service.ts'
export {
  createEventStore,
  deliveryQueue,
  eventDeletion,
  eventStatements,
  forgetUserInEvents,
  type NewEvent,
  privateEventDeletion,
  recordEvent,
  recordEvents,
  wasFileDeleted,
} from './store.ts'
export { createWebhookStore } from './store-webhooks.ts'
export { WebhookService } from './webhooks.ts'
