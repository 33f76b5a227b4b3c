import { queryOptions } from '@tanstack/react-query'
import { client } from '../client.ts'

/** The key that all queries about the tests of a project begin with. */
export const testsKey = (projectId: string) => ['tests', projectId] as const

/** Every suite of a project, to choose one by its name. */
export function suiteNamesQuery(projectId: string) {
  return queryOptions({
    queryKey: [...testsKey(projectId), 'names'],
    queryFn: ({ signal }) => client.testing.suites.list(projectId, {}, { signal }),
  })
}
