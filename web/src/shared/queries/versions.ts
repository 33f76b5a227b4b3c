import { queryOptions } from '@tanstack/react-query'
import { client } from '../client.ts'

/** The key that all queries about versions of a project begin with; publishing and rolling back invalidate it. */
export const versionsKey = (projectId: string) => ['versions', projectId] as const

/** All versions, newest first. */
export function versionsQuery(projectId: string) {
  return queryOptions({
    queryKey: [...versionsKey(projectId), 'list'],
    queryFn: ({ signal }) => client.versions.list(projectId, { signal }),
  })
}

export function versionQuery(projectId: string, versionId: string) {
  return queryOptions({
    queryKey: [...versionsKey(projectId), 'one', versionId],
    queryFn: ({ signal }) => client.versions.get(projectId, versionId, { signal }),
  })
}
