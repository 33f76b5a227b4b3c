export type {
  AnswerEvent,
  AuditEntry,
  Chat,
  ChatInfo,
  ChatSettings,
  Citation,
  ContextEntry,
  CreateNodes,
  CreateRelationship,
  CreateTrace,
  CreateVersion,
  CreateWebhook,
  DeletedNodes,
  Delivery,
  Event,
  EventType,
  FileStatus,
  GraphData,
  GraphNode,
  GraphRelationship,
  Health,
  Key,
  Metrics,
  Permission,
  Project,
  Publication,
  QueryRequest,
  QueryResponse,
  Rule,
  ScopeDefinition,
  Scoring,
  ScoringFailure,
  SearchRequest,
  SearchResponse,
  StoredFile,
  Trace,
  TraceSummary,
  UploadedFile,
  Version,
  VersionActivation,
  VersionComparison,
  VersionConfig,
  VersionSummary,
  Webhook,
  WebhookWithSecret,
} from '@cairn/contract'
export type { UploadRequest } from './chats.ts'
export { type Client, createClient } from './client.ts'
export type { AuditPage } from './console.ts'
export { CairnApiError } from './errors.ts'
export type { EventPage } from './event-log.ts'
export type { ScoringFailurePage, ScoringPage } from './judging.ts'
export type { ActivationPage, Filters, ScorePage, SessionPage, TracePage } from './projects.ts'
export type { CallOptions, ClientOptions, RepeatableOptions, RetryOptions } from './transport.ts'
export type { DeliveryPage } from './webhooks.ts'
