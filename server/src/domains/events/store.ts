import type { EventData, EventType } from '@cairn/contract'
import { type CompiledQuery, expressionBuilder, type Kysely, sql } from 'kysely'
import { type Db, insertRows, newestFirst, type Tables, type Trx } from '../../db/index.ts'
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
  }
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
    sql<string>`cast(${deliveryQueue} as text)`.as('queue'),
    'webhooks.project_id',
    payload.as('payload'),
    sql<'queued'>`${sql.lit('queued')}`.as('status'),
    sql<number>`cast(${created_at} as bigint)`.as('run_at'),
    sql<number>`0`.as('attempts'),
    sql<number>`cast(${created_at} as bigint)`.as('created_at'),
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
    db
      .insertInto('jobs')
      .columns(['job_id', 'queue', 'project_id', 'payload', 'status', 'run_at', 'attempts', 'created_at'])
      .expression(jobs)
      .compile(),
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

/** An event of a type whose data say a text (ASCII, case aside), since a moment, inclusive. */
interface Saying {
  type: EventType
  sinceMs: number
  says: string
}

function isSaying({ type, sinceMs, says }: Saying) {
  return inLog.and([
    inLog('created_at', '>=', sinceMs),
    inLog('type', '=', type),
    inLog('data', 'like', `%${says}%`),
  ])
}

/** Whether the log of a project has such an event. */
export async function hasEvent(db: Db, projectId: string, event: Saying): Promise<boolean> {
  const ofProject = db.read.selectFrom('events').select('event_id').where('project_id', '=', projectId)
  return (await ofProject.where(isSaying(event)).limit(1).executeTakeFirst()) !== undefined
}

/** `recordEvent` for many events at once, none of them a user's own. */
export async function recordEvents(trx: Trx, events: readonly NewEvent[]): Promise<void> {
  const rows = events.map(eventRow)
  const columns = ['project_id', 'event_id', 'type', 'data', 'created_at'] as const
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
