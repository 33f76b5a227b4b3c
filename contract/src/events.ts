import { type Static, Type } from 'typebox'
import { absent, body, JsonObject, PageQuery, Timestamp } from './common.ts'
import { budgetPeriods, budgetScopes, budgetUnits } from './credits.ts'

const Milliseconds = Type.Integer({ description: 'Unix time, milliseconds' })
const Count = Type.Integer({ minimum: 0 })
const StringOrNull = Type.Union([Type.String(), Type.Null()])

/** Both fields are null if a developer reads an event about a user's private file. */
const FileName = Type.Object({ file_id: StringOrNull, filename: StringOrNull })
/** Present for files of end users. */
const FileOwner = Type.Object({ app_id: Type.Optional(Type.String()), user_id: Type.Optional(Type.String()) })

export const FileUploaded = Type.Object({
  chat_id: Type.String(),
  ...FileName.properties,
  ...FileOwner.properties,
  size_bytes: Count,
  file_type: Type.String({ description: 'the extension, lower case' }),
  processing_ms: Count,
  chunk_count: Count,
  timestamp: Milliseconds,
})

export const FileDeleted = Type.Object({
  event: Type.Literal('file_deleted'),
  chat_id: Type.String(),
  ...FileName.properties,
  app_id: StringOrNull,
  user_id: StringOrNull,
  size_freed: Type.Integer({ minimum: 0, description: 'bytes' }),
  chunks_removed: Count,
  timestamp: Milliseconds,
})

export const VersionActivated = Type.Object({
  version_id: Type.String(),
  version: Type.String(),
  previous_version_id: StringOrNull,
  timestamp: Milliseconds,
})

export const RunEnded = Type.Object({
  run_id: Type.String(),
  suite_id: Type.String(),
  status: Type.String(),
  total: Count,
  passed: Count,
  failed: Count,
  pass_rate: Type.Number({ minimum: 0, maximum: 1 }),
  error: Type.Optional(Type.String()),
  timestamp: Milliseconds,
})

export const BudgetExceeded = Type.Object({
  budget_id: Type.String(),
  scope: Type.Enum(budgetScopes),
  scope_id: Type.String(),
  period: Type.Enum(budgetPeriods),
  period_start: Type.Integer({ description: 'Unix time, milliseconds; 0 for the period total' }),
  unit: Type.Enum(budgetUnits),
  limit: Type.Number(),
  spent: Type.Number(),
  timestamp: Milliseconds,
})

export const WebhookTest = Type.Object({ webhook_id: Type.String(), timestamp: Milliseconds })

/** Every event type, when the event happens, and its data. */
export const eventCatalogue = {
  file_uploaded: { meaning: 'A file was uploaded and is searchable.', data: FileUploaded },
  file_deleted: { meaning: 'A file was deleted.', data: FileDeleted },
  version_published: { meaning: 'A version was published and is now active.', data: VersionActivated },
  version_rolled_back: { meaning: 'An earlier version is active again.', data: VersionActivated },
  run_completed: { meaning: 'A test run has finished all its cases.', data: RunEnded },
  run_failed: { meaning: 'A test run could not be carried out.', data: RunEnded },
  run_cancelled: { meaning: 'A test run was cancelled.', data: RunEnded },
  budget_exceeded: {
    meaning: 'A question was rejected because a budget is used up; sent once per period of the budget.',
    data: BudgetExceeded,
  },
  webhook_test: {
    meaning: 'A test of a webhook was requested; sent to that webhook only.',
    data: WebhookTest,
  },
} as const

export type EventType = keyof typeof eventCatalogue
export type EventData<T extends EventType> = Static<(typeof eventCatalogue)[T]['data']>
export const eventTypes = Object.keys(eventCatalogue) as EventType[]
export const EventType = Type.Enum(eventTypes)

export const Event = Type.Object({
  event_id: Type.String(),
  type: EventType,
  created_at: Timestamp,
  data: JsonObject,
})
export type Event = Static<typeof Event>

export const ListEventsQuery = Type.Object({
  type: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description: `one or more types, repeated or comma-separated: ${eventTypes.join(', ')}`,
    }),
  ),
  start_date: Type.Optional(Type.String({ description: 'ISO 8601, inclusive' })),
  end_date: Type.Optional(Type.String({ description: 'ISO 8601, exclusive' })),
  ...PageQuery.properties,
})
export type ListEventsQuery = Static<typeof ListEventsQuery>

/** Event types that a webhook can subscribe to; `*` includes types that are added later. */
export const webhookEventTypes = [...eventTypes.filter((type) => type !== 'webhook_test'), '*' as const]
export const WebhookEventTypes = Type.Array(Type.Enum(webhookEventTypes), {
  minItems: 1,
  maxItems: 100,
  description: '* subscribes to every type',
})

export const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'https, on a public address, without a user name or password',
})
const Description = Type.String({ maxLength: 500 })

export const CreateWebhook = body({
  url: WebhookUrl,
  event_types: absent(WebhookEventTypes),
  description: absent(Description),
})
export type CreateWebhook = Static<typeof CreateWebhook>

export const UpdateWebhook = body({
  url: absent(WebhookUrl),
  event_types: absent(WebhookEventTypes),
  description: absent(Description),
  enabled: absent(Type.Boolean()),
})
export type UpdateWebhook = Static<typeof UpdateWebhook>

export const Webhook = Type.Object({
  webhook_id: Type.String(),
  project_id: Type.String(),
  url: Type.String(),
  event_types: WebhookEventTypes,
  description: Type.String(),
  enabled: Type.Boolean(),
  disabled_reason: Type.Union([Type.String(), Type.Null()], {
    description: 'why the server disabled the webhook',
  }),
  previous_secret_until: Type.Union([Timestamp, Type.Null()], {
    description: 'until this time, deliveries are also signed with the previous secret',
  }),
  created_at: Timestamp,
})
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = Type.Object({
  ...Webhook.properties,
  secret: Type.String({
    description: 'whsec_…, the signing secret; the server shows it only in this response',
  }),
})
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const Delivery = Type.Object({
  delivery_id: Type.String(),
  webhook_id: Type.String(),
  event_id: Type.String({ description: 'equals the header webhook-id of each try' }),
  type: EventType,
  status: Type.Enum(['pending', 'delivered', 'failed']),
  attempt: Type.Integer({ minimum: 0, description: 'number of tries since the delivery was last queued' }),
  response_status: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the last try' }),
  error: StringOrNull,
  duration_ms: Type.Union([Type.Number(), Type.Null()], { description: 'duration of the last try' }),
  last_try_at: Type.Union([Timestamp, Type.Null()]),
  next_try_at: Type.Union([Timestamp, Type.Null()], { description: 'null if no further try is planned' }),
  created_at: Timestamp,
})
export type Delivery = Static<typeof Delivery>

export const ListDeliveriesQuery = PageQuery
export type ListDeliveriesQuery = PageQuery

export const WebhookParams = Type.Object({ webhook_id: Type.String() })
export const DeliveryParams = Type.Object({ webhook_id: Type.String(), delivery_id: Type.String() })
