import type { Event, ListEventsQuery } from '@cairn/contract'
import { everyPage, type Page } from './pages.ts'
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
  async function* list(
    projectId: string,
    query: ListEventsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Event> {
    const pages = everyPage((cursor) => page(projectId, { ...query, ...cursor }, options))
    for await (const { events } of pages) yield* events
  }

  return { page, list }
}
