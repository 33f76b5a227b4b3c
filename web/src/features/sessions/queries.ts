import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import type { FilterValues } from '../../shared/filters/filters.ts'
import { toQuery } from '../../shared/filters/view.ts'

/** Sessions with a trace that matches the filters; the session with the newest trace comes first. */
export function sessionsQuery(projectId: string, view: FilterValues) {
  return infiniteQueryOptions({
    queryKey: ['sessions', projectId, 'list', view],
    queryFn: ({ pageParam, signal }) =>
      client.sessions.page(
        projectId,
        { ...toQuery(view), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** A session with its turns, oldest first, page by page. */
export function sessionQuery(projectId: string, sessionId: string) {
  return infiniteQueryOptions({
    queryKey: ['sessions', projectId, 'one', sessionId],
    queryFn: ({ pageParam, signal }) =>
      client.sessions.getPage(
        projectId,
        sessionId,
        { limit: 50, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}
