import type { EventType } from '@cairn/sdk'

/** When each kind of event happens. */
export const eventMeanings: Record<EventType, string> = {
  file_uploaded: 'A file was uploaded and is searchable.',
  file_deleted: 'A file was deleted.',
  version_published: 'A version was published and is the active one.',
  version_rolled_back: 'An earlier version is active again.',
  run_completed: 'A test run has gone through all its cases.',
  run_failed: 'A test run could not be carried out.',
  run_cancelled: 'A test run was cancelled.',
  budget_exceeded: 'A question was refused because a budget is used up.',
  webhook_test: 'Somebody asked for a test of a webhook.',
}

export const eventTypes = Object.keys(eventMeanings) as EventType[]
/** Those that a webhook can ask for. */
export const webhookTypes = eventTypes.filter((type) => type !== 'webhook_test')
