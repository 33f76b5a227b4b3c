import { queryOptions } from '@tanstack/react-query'
import { client } from '../client.ts'

export function scorersQuery(projectId: string) {
  return queryOptions({
    queryKey: ['scorers', projectId],
    queryFn: ({ signal }) => client.scorers.list(projectId, { signal }),
  })
}

/** The rules by which scorers score traces as they arrive. */
export function rulesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['rules', projectId],
    queryFn: ({ signal }) => client.judging.rules.list(projectId, { signal }),
  })
}
