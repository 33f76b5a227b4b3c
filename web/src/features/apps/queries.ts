import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'

export function appsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['apps', 'of', projectId],
    queryFn: ({ signal }) => client.console.apps.list(projectId, { signal }),
  })
}

export function appQuery(appId: string) {
  return queryOptions({
    queryKey: ['apps', appId],
    queryFn: ({ signal }) => client.console.apps.get(appId, { signal }),
  })
}

export function usersQuery(appId: string) {
  return infiniteQueryOptions({
    queryKey: ['apps', appId, 'users'],
    queryFn: ({ pageParam, signal }) =>
      client.console.apps.users(appId, { limit: 100, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}
