import type { EventData, EventType } from '@cairn/contract'
import { type CompiledQuery, expressionBuilder, type Kysely, sql } from 'kysely'
import { type Db, insertRows, newestFirst, type Tables, type Trx } from '../../db/index.ts'
import { type Deletion, deletionOf, enqueueFrom } from '../../jobs/index.ts'
import type { Page } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'

/** An event to write. */
export type NewEvent = {
  [T in EventType]: {
    projectId: string
    type: T
    data: EventData<T>
    createdMs?: number
    /**
     * For an event that an end user caused: the private chat, and the data that only the user may read. `data` is for the
     * developer.
     */
    userEvent?: { chatId: string; data: EventData<T> }
  }
}[EventType]

export type EventRow = Tables['events']
export type UserEventRow = Tables['user_events']

export interface EventConditions {
  types?: readonly EventType[] | undefined
  /** Epoch milliseconds, inclusive. */
  startMs?: number | undefined
  /** Epoch milliseconds, exclusive. */
  endMs?: number | undefined
}

/** The queue of jobs that deliver events to webhooks; a job's payload is `DeliveryJob`. */
export const deliveryQueue = 'webhook-delivery'

export interface DeliveryJob {
  project_id: string
  delivery_id: string
}

/** The id of the job of a delivery. */
export function jobIdOf(deliveryId: string): string {
  return deliveryId.replace(/^dlv_/, 'job_')
}

export function eventRow({ projectId, type, data, createdMs = Date.now(), userEvent }: NewEvent): EventRow {
  return {
    project_id: projectId,
    event_id: newId('evt_', createdMs),
    type,
    // JSON escapes characters that PostgreSQL rejects in text (NUL, single surrogates).
    data: JSON.stringify(data),
    created_at: createdMs,
    private_chat_id: userEvent?.chatId ?? null,
    ...subjectOf(data),
  }
}

/** The file and the user in the data of an event, for columns that are searched. */
function subjectOf(data: NewEvent['data']): Pick<EventRow, 'file_id' | 'user_id'> {
  const file_id = 'file_id' in data ? data.file_id : null
  if ('scope' in data) return { file_id, user_id: data.scope === 'user' ? data.scope_id : null }
  return { file_id, user_id: 'user_id' in data ? (data.user_id ?? null) : null }
}

/**
 * The part of a delivery's and job's id after the prefix: the id of the event and the id of the webhook without prefixes. So
 * it is unique and sorts by time.
 */
function deliveryTail(eventId: string) {
  return sql`(cast(${eventId.slice('evt_'.length)} as text) || substr(webhooks.webhook_id, ${sql.lit('whk_'.length + 1)}))`
}

/** The enabled webhooks that are subscribed to the event. In the stored JSON list, a type is in quotes. */
function receivers(db: Kysely<Tables>, { project_id, type }: EventRow) {
  return db
    .selectFrom('webhooks')
    .where('project_id', '=', project_id)
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('event_types', 'like', `%"${type}"%`), eb('event_types', 'like', '%"*"%')]))
}

/** The statements that write a delivery and a job for each subscribed webhook. */
function deliveryStatements(db: Kysely<Tables>, row: EventRow): CompiledQuery[] {
  const { project_id, event_id, created_at } = row
  const tail = deliveryTail(event_id)
  const deliveries = receivers(db, row).select([
    'project_id',
    sql<string>`${sql.lit('dlv_')} || ${tail}`.as('delivery_id'),
    'webhook_id',
    sql<string>`cast(${event_id} as text)`.as('event_id'),
    sql<'pending'>`${sql.lit('pending')}`.as('status'),
    sql<number>`0`.as('attempts'),
    sql<number>`cast(${created_at} as bigint)`.as('next_try_at'),
    sql<number>`cast(${created_at} as bigint)`.as('created_at'),
  ])
  const payload = sql<string>`cast(${`{"project_id":"${project_id}","delivery_id":"dlv_`} as text) || ${tail} || '"}'`
  const jobs = receivers(db, row).select([
    sql<string>`${sql.lit('job_')} || ${tail}`.as('job_id'),
    'webhooks.project_id',
    payload.as('payload'),
  ])
  return [
    db
      .insertInto('webhook_deliveries')
      .columns([
        'project_id',
        'delivery_id',
        'webhook_id',
        'event_id',
        'status',
        'attempts',
        'next_try_at',
        'created_at',
      ])
      .expression(deliveries)
      .compile(),
    enqueueFrom(db, { queue: deliveryQueue, runAt: created_at, createdAt: created_at }, jobs),
  ]
}

/**
 * The statements that write an event and, for each subscribed webhook, a delivery and its job. They need no results of one
 * another, so `Db.insertAll` accepts them as `after`.
 */
export function eventStatements(db: Kysely<Tables>, event: NewEvent): CompiledQuery[] {
  const row = eventRow(event)
  const { event_id, type, created_at } = row
  const userEvent = event.userEvent && {
    chat_id: event.userEvent.chatId,
    event_id,
    type,
    data: JSON.stringify(event.userEvent.data),
    created_at,
  }
  return [
    db.insertInto('events').values(row).compile(),
    ...(userEvent ? [db.insertInto('user_events').values(userEvent).compile()] : []),
    ...deliveryStatements(db, row),
  ]
}

/** Writes an event with its deliveries in the caller's transaction. Call `EventService.wake` after the commit. */
export async function recordEvent(trx: Trx, event: NewEvent): Promise<void> {
  for (const statement of eventStatements(trx, event)) await trx.executeQuery(statement)
}

/** For conditions on columns that `events` and `user_events` share. */
const inLog = expressionBuilder<Tables, 'events' | 'user_events'>()

/** Whether a file with this id was deleted at or after a time (epoch ms). */
export async function wasFileDeleted(
  db: Db,
  projectId: string,
  fileId: string,
  sinceMs: number,
): Promise<boolean> {
  const deleted = db.read
    .selectFrom('events')
    .select('event_id')
    .where('project_id', '=', projectId)
    .where('file_id', '=', fileId)
    .where('type', '=', 'file_deleted')
    .where('created_at', '>=', sinceMs)
  return (await deleted.limit(1).executeTakeFirst()) !== undefined
}

/** Deletes the events of a project that name an end user. Rows of `user_events` are deleted with the user's chat. */
export async function forgetUserInEvents(trx: Trx, projectId: string, userId: string): Promise<void> {
  await trx.deleteFrom('events').where('project_id', '=', projectId).where('user_id', '=', userId).execute()
}

/** `recordEvent` for many events at once, all without `userEvent`. */
export async function recordEvents(trx: Trx, events: readonly NewEvent[]): Promise<void> {
  const rows = events.map(eventRow)
  const columns = ['project_id', 'event_id', 'type', 'data', 'created_at', 'file_id', 'user_id'] as const
  await insertRows(trx, {
    table: 'events',
    columns,
    rows: rows.map((row) => columns.map((column) => row[column])),
  })
  for (const group of Map.groupBy(rows, ({ project_id, type }) => `${project_id} ${type}`).values()) {
    const [first] = group
    const receiver = first && (await receivers(trx, first).select('webhook_id').limit(1).executeTakeFirst())
    if (!receiver) continue
    for (const row of group) {
      for (const statement of deliveryStatements(trx, row)) await trx.executeQuery(statement)
    }
  }
}

function matches({ types, startMs, endMs }: EventConditions) {
  return inLog.and([
    ...(types ? [inLog('type', 'in', types)] : []),
    ...(startMs === undefined ? [] : [inLog('created_at', '>=', startMs)]),
    ...(endMs === undefined ? [] : [inLog('created_at', '<', endMs)]),
  ])
}

export type EventStore = ReturnType<typeof createEventStore>

export function createEventStore(db: Db) {
  return {
    /** Newest first; `after` is the last event of the previous page. */
    list(projectId: string, conditions: EventConditions, page: Page): Promise<EventRow[]> {
      const log = db.read.selectFrom('events').selectAll().where('project_id', '=', projectId)
      return newestFirst(log.where(matches(conditions)), ['created_at', 'event_id'], page).execute()
    },

    /** The same for the events of an end user with the data for the user; `chatId` is their private chat. */
    listForUser(chatId: string, conditions: EventConditions, page: Page): Promise<UserEventRow[]> {
      const log = db.read.selectFrom('user_events').selectAll().where('chat_id', '=', chatId)
      return newestFirst(log.where(matches(conditions)), ['created_at', 'event_id'], page).execute()
    },
  }
}

/** The steps of a project's deletion that delete its events and deliveries. */
export function eventDeletion(db: Db): Deletion['steps'] {
  return [
    deletionOf(db, { table: 'webhook_deliveries', key: ['project_id', 'delivery_id'], column: 'project_id' }),
    deletionOf(db, { table: 'events', key: ['project_id', 'event_id'], column: 'project_id' }),
  ]
}

/** The steps of a private chat's deletion that delete the events of its user. */
export function privateEventDeletion(db: Db): Deletion['steps'] {
  return [
    deletionOf(db, { table: 'user_events', key: ['chat_id', 'event_id'], column: 'chat_id' }),
    deletionOf(db, { table: 'events', key: ['project_id', 'event_id'], column: 'private_chat_id' }),
  ]
}
