import { queryOptions } from '@tanstack/react-query'
import { client } from '../../client.ts'

export const modelsQuery = queryOptions({
  queryKey: ['server', 'models'],
  queryFn: ({ signal }) => client.console.models.list({ signal }),
})

export const providersQuery = queryOptions({
  queryKey: ['server', 'providers'],
  queryFn: ({ signal }) => client.console.providers.list({ signal }),
})

export const multipliersQuery = queryOptions({
  queryKey: ['server', 'multipliers'],
  queryFn: ({ signal }) => client.console.multipliers.list({ signal }),
})
