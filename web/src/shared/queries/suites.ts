import { queryOptions } from '@tanstack/react-query'
import { client } from '../client.ts'

/** Prefix of the keys of all queries about the tests of a project. */
export const testsKey = (projectId: string) => ['tests', projectId] as const

/** The suites of a project, newest first, to choose one by its name. Of more than 1,000, the oldest are missing. */
export function suiteNamesQuery(projectId: string) {
  return queryOptions({
    queryKey: [...testsKey(projectId), 'names'],
    queryFn: ({ signal }) => client.testing.suites.list(projectId, {}, { signal }),
  })
}
