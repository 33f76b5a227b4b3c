import type { Event, ListEventsQuery } from '@cairn/contract'
import { type CallOptions, path, type Transport } from './transport.ts'

export interface EventPage {
  events: Event[]
  /** `query.cursor` of the next page; undefined on the last one. */
  nextCursor: string | undefined
}

/** Reading the event log below that address: a project's own, or the console's. */
export function eventCalls(transport: Transport, base: '/v1' | '/v1/console/projects') {
  /** One page, newest first. */
  async function page(
    projectId: string,
    query: ListEventsQuery = {},
    options?: CallOptions,
  ): Promise<EventPage> {
    const response = await transport.send('GET', base + path`/${projectId}/events`, { query, ...options })
    const events = (await response.json()) as Event[]
    return { events, nextCursor: response.headers.get('x-next-cursor') ?? undefined }
  }

  /** Every event that fits, newest first, fetched page by page; `limit` is the size of a page. */
  async function* list(
    projectId: string,
    query: ListEventsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Event> {
    let next: EventPage | undefined
    do {
      next = await page(
        projectId,
        { ...query, ...(next?.nextCursor && { cursor: next.nextCursor }) },
        options,
      )
      yield* next.events
    } while (next.nextCursor)
  }

  return { page, list }
}
