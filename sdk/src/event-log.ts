import type { Event, ListEventsQuery } from '@cairn/contract'
import type { Page } from './pages.ts'
import { type CallOptions, path, type Transport } from './transport.ts'

export interface EventPage extends Page {
  events: Event[]
}

/** Calls that read an event log: of a project, or through the console. */
export function eventCalls(transport: Transport, base: '/v1' | '/v1/console/projects') {
  /** One page, newest first. */
  async function page(
    projectId: string,
    query: ListEventsQuery = {},
    options?: CallOptions,
  ): Promise<EventPage> {
    const at = base + path`/${projectId}/events`
    const { page: events, nextCursor } = await transport.page<Event[]>(at, { query, ...options })
    return { events, nextCursor }
  }

  /** Every matching event, newest first, fetched page by page; `limit` is the page size. */
  function list(
    projectId: string,
    query: ListEventsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Event> {
    return transport.each(base + path`/${projectId}/events`, { query, ...options })
  }

  return { page, list }
}
