import { queryOptions } from '@tanstack/react-query'
import { client } from '../client.ts'

/** The models that requests can name, each with the model that runs for it. */
export const modelsQuery = queryOptions({
  queryKey: ['server', 'models'],
  queryFn: ({ signal }) => client.console.models.list({ signal }),
})
