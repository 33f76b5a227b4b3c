import type { EventType } from '@cairn/sdk'

/** Descriptions of the event types. */
export const eventMeanings: Record<EventType, string> = {
  file_uploaded: 'A file was uploaded and is searchable.',
  file_deleted: 'A file was deleted.',
  version_published: 'A version was published and became active.',
  version_rolled_back: 'An earlier version is active again.',
  run_completed: 'A test run finished all its cases.',
  run_failed: 'A test run failed.',
  run_cancelled: 'A test run was cancelled.',
  budget_exceeded: 'A question was rejected because a budget is used up.',
  webhook_test: 'A test of a webhook was requested.',
}

export const eventTypes = Object.keys(eventMeanings) as EventType[]
/** The event types that a webhook can subscribe to. */
export const webhookTypes = eventTypes.filter((type) => type !== 'webhook_test')
