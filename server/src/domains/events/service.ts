import {
  CairnError,
  type Event,
  type EventType,
  eventTypes,
  type ListEventsQuery,
  limits,
} from '@cairn/contract'
import { type Page, type Paged, parseCursor, toPage } from '../../lib/cursor.ts'
import { toIso } from '../../lib/time.ts'
import type { AccessService } from '../access/index.ts'
import { parsePeriod } from '../rollups/index.ts'
import type { EventConditions, EventStore, UserEventRow } from './store.ts'

function parseTypes(given: string | string[] | undefined): EventType[] | undefined {
  if (given === undefined) return undefined
  const names = [given].flat().flatMap((text) => text.split(',').map((name) => name.trim()))
  return names.map((name) => {
    const type = eventTypes.find((known) => known === name)
    if (type) return type
    throw new CairnError('invalid_request', `type must be one or more of ${eventTypes.join(', ')}`)
  })
}

type EventText = Pick<UserEventRow, 'event_id' | 'type' | 'created_at' | 'data'>

function toEvent({ event_id, type, created_at, data }: EventText): Event {
  return {
    event_id,
    type: type as EventType,
    created_at: toIso(created_at),
    data: JSON.parse(data) as Event['data'],
  }
}

export class EventService {
  readonly #store: EventStore
  readonly #access: AccessService
  readonly #wake: () => void

  constructor(store: EventStore, access: AccessService, wake: () => void) {
    this.#store = store
    this.#access = access
    this.#wake = wake
  }

  /** Starts deliveries at once. Call it after the commit of a transaction that wrote an event. */
  wake(): void {
    this.#wake()
  }

  /** Newest first. */
  list(projectId: string, query: ListEventsQuery): Promise<Paged<Event>> {
    return this.#page(query, (conditions, page) => this.#store.list(projectId, conditions, page))
  }

  /** Events of an end user with the data that only the user may read, newest first. `chatId` is their private chat. */
  listForUser(chatId: string, query: ListEventsQuery): Promise<Paged<Event>> {
    return this.#page(query, (conditions, page) => this.#store.listForUser(chatId, conditions, page))
  }

  async listForConsole(projectId: string, query: ListEventsQuery): Promise<Paged<Event>> {
    await this.#access.getProject(projectId)
    return this.list(projectId, query)
  }

  async #page(
    query: ListEventsQuery,
    read: (conditions: EventConditions, page: Page) => Promise<EventText[]>,
  ): Promise<Paged<Event>> {
    const conditions = { ...parsePeriod(query), types: parseTypes(query.type) }
    const limit = query.limit ?? limits.listDefault
    const after = parseCursor(query.cursor, 'evt_')
    const rows = await read(conditions, { limit: limit + 1, after })
    const { page, next } = toPage(rows, limit, (row) => ({ ms: row.created_at, id: row.event_id }))
    return { page: page.map(toEvent), next }
  }
}
