import type { EventData, EventType } from '@cairn/contract'
import { type CompiledQuery, expressionBuilder, type Kysely, sql } from 'kysely'
import { type Db, insertRows, newestFirst, type Tables, type Trx } from '../../db/index.ts'
import { type Deletion, deletionOf, enqueueFrom } from '../../jobs/index.ts'
import type { Page } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'

/** An event on its way into the log. */
export type NewEvent = {
  [T in EventType]: {
    projectId: string
    type: T
    data: EventData<T>
    createdMs?: number
    /** Of an end user's own doing: what they see of it, kept with their private chat. `data` is what the developer sees. */
    own?: { chatId: string; data: EventData<T> }
  }
}[EventType]

export type EventRow = Tables['events']
export type UserEventRow = Tables['user_events']

export interface EventConditions {
  types?: readonly EventType[] | undefined
  /** Epoch milliseconds, inclusive. */
  startMs?: number | undefined
  /** Exclusive. */
  endMs?: number | undefined
}

/** The queue of jobs that deliver events to webhooks; a job's payload is `DeliveryJob`. */
export const deliveryQueue = 'webhook-delivery'

export interface DeliveryJob {
  project_id: string
  delivery_id: string
}

/** A delivery has one job, whose id follows from its own. */
export function jobIdOf(deliveryId: string): string {
  return deliveryId.replace(/^dlv_/, 'job_')
}

export function eventRow({ projectId, type, data, createdMs = Date.now(), own }: NewEvent): EventRow {
  return {
    project_id: projectId,
    event_id: newId('evt_', createdMs),
    type,
    // JSON escapes what PostgreSQL refuses in text (NUL, halves of surrogate pairs).
    data: JSON.stringify(data),
    created_at: createdMs,
    private_chat_id: own?.chatId ?? null,
    ...namedIn(data),
  }
}

/** What an event tells the developer of, to look it up by. */
function namedIn(data: NewEvent['data']): Pick<EventRow, 'file_id' | 'user_id'> {
  const file_id = 'file_id' in data ? data.file_id : null
  if ('scope' in data) return { file_id, user_id: data.scope === 'user' ? data.scope_id : null }
  return { file_id, user_id: 'user_id' in data ? (data.user_id ?? null) : null }
}

/** The tail of the ids that an event has at a webhook: both tails in a row, so they sort by time and are unique. */
function deliveryTail(eventId: string) {
  return sql`(cast(${eventId.slice('evt_'.length)} as text) || substr(webhooks.webhook_id, ${sql.lit('whk_'.length + 1)}))`
}

/** Webhooks that want the event. A type stands in its quotes in the stored list. */
function receivers(db: Kysely<Tables>, { project_id, type }: EventRow) {
  return db
    .selectFrom('webhooks')
    .where('project_id', '=', project_id)
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('event_types', 'like', `%"${type}"%`), eb('event_types', 'like', '%"*"%')]))
}

/** The statements that give each webhook which wants the event a delivery and its job. */
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
 * The statements that write an event and, for each enabled webhook of its project that wants the type, a delivery
 * and its job. No round trip between them: `Db.insertAll` takes them as `after`.
 */
export function eventStatements(db: Kysely<Tables>, event: NewEvent): CompiledQuery[] {
  const row = eventRow(event)
  const { event_id, type, created_at } = row
  const own = event.own && {
    chat_id: event.own.chatId,
    event_id,
    type,
    data: JSON.stringify(event.own.data),
    created_at,
  }
  return [
    db.insertInto('events').values(row).compile(),
    ...(own ? [db.insertInto('user_events').values(own).compile()] : []),
    ...deliveryStatements(db, row),
  ]
}

/** Writes an event with its deliveries inside the caller's transaction; after the commit call `EventService.wake`. */
export async function recordEvent(trx: Trx, event: NewEvent): Promise<void> {
  for (const statement of eventStatements(trx, event)) await trx.executeQuery(statement)
}

/** For conditions on what the log of a project and that of an end user both have. */
const inLog = expressionBuilder<Tables, 'events' | 'user_events'>()

/** Whether a file of this id was deleted since a moment, inclusive. */
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

/** Takes out of the project's log what names an end user; what only they see goes with their chat. */
export async function forgetUserInEvents(trx: Trx, projectId: string, userId: string): Promise<void> {
  await trx.deleteFrom('events').where('project_id', '=', projectId).where('user_id', '=', userId).execute()
}

/** `recordEvent` for many events at once, none of them a user's own. */
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
    const wanted = first && (await receivers(trx, first).select('webhook_id').limit(1).executeTakeFirst())
    if (!wanted) continue
    for (const row of group) {
      for (const statement of deliveryStatements(trx, row)) await trx.executeQuery(statement)
    }
  }
}

function isWanted({ types, startMs, endMs }: EventConditions) {
  return inLog.and([
    ...(types ? [inLog('type', 'in', types)] : []),
    ...(startMs === undefined ? [] : [inLog('created_at', '>=', startMs)]),
    ...(endMs === undefined ? [] : [inLog('created_at', '<', endMs)]),
  ])
}

export type EventStore = ReturnType<typeof createEventStore>

export function createEventStore(db: Db) {
  return {
    /** Newest first; `after` is the last event of the page before. */
    list(projectId: string, conditions: EventConditions, page: Page): Promise<EventRow[]> {
      const log = db.read.selectFrom('events').selectAll().where('project_id', '=', projectId)
      return newestFirst(log.where(isWanted(conditions)), ['created_at', 'event_id'], page).execute()
    },

    /** The same of an end user, as they see them, by their private chat. */
    listOwn(chatId: string, conditions: EventConditions, page: Page): Promise<UserEventRow[]> {
      const log = db.read.selectFrom('user_events').selectAll().where('chat_id', '=', chatId)
      return newestFirst(log.where(isWanted(conditions)), ['created_at', 'event_id'], page).execute()
    },
  }
}

/** The steps of a project's deletion that are about its log. */
export function eventDeletion(db: Db): Deletion['steps'] {
  return [
    deletionOf(db, { table: 'webhook_deliveries', key: ['project_id', 'delivery_id'], column: 'project_id' }),
    deletionOf(db, { table: 'events', key: ['project_id', 'event_id'], column: 'project_id' }),
  ]
}

/** The steps of a chat's deletion that are about what its end user did. */
export function privateEventDeletion(db: Db): Deletion['steps'] {
  return [
    deletionOf(db, { table: 'user_events', key: ['chat_id', 'event_id'], column: 'chat_id' }),
    deletionOf(db, { table: 'events', key: ['project_id', 'event_id'], column: 'private_chat_id' }),
  ]
}
