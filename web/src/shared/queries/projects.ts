import { queryOptions } from '@tanstack/react-query'
import { client } from '../client.ts'

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => client.console.projects.list({ signal }),
})

export function projectQuery(projectId: string) {
  return queryOptions({
    queryKey: ['projects', projectId],
    queryFn: ({ signal }) => client.console.projects.get(projectId, { signal }),
  })
}
