export type {
  AnswerEvent,
  Chat,
  ChatInfo,
  ChatSettings,
  Citation,
  ContextEntry,
  CreateTrace,
  CreateWebhook,
  Delivery,
  Event,
  EventType,
  GraphData,
  Health,
  Key,
  Metrics,
  Permission,
  Project,
  QueryRequest,
  QueryResponse,
  Trace,
  TraceSummary,
  UploadedFile,
  Webhook,
  WebhookWithSecret,
} from '@cairn/contract'
export type { UploadRequest } from './chats.ts'
export { type Client, createClient } from './client.ts'
export { CairnApiError } from './errors.ts'
export type { EventPage } from './event-log.ts'
export type { TracePage } from './projects.ts'
export type { CallOptions, ClientOptions, RetryOptions } from './transport.ts'
export type { DeliveryPage } from './webhooks.ts'
