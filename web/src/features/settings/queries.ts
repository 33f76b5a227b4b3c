import type { AuditPage, DeliveryPage, EventPage, EventType } from '@cairn/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'

const { console: api } = client
const firstPage = undefined as string | undefined
const settingsKey = (projectId: string) => ['settings', projectId] as const
const pageOf = (limit: number, cursor: string | undefined) => ({ limit, ...(cursor && { cursor }) })

export const keysQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...settingsKey(projectId), 'keys'],
    queryFn: ({ signal }) => api.keys.listOfProject(projectId, { signal }),
  })

export const projectPricesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...settingsKey(projectId), 'prices'],
    queryFn: ({ signal }) => api.prices.list(projectId, { signal }),
  })

/** The built-in prices change only with the version of the server. */
export const builtInPricesQuery = queryOptions({
  queryKey: ['built-in-prices'],
  queryFn: ({ signal }) => api.prices.listBuiltIn({}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const webhooksQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...settingsKey(projectId), 'webhooks'],
    queryFn: ({ signal }) => api.webhooks.list(projectId, { signal }),
  })

/** Deliveries of a webhook, newest first; polled while one is pending. */
export const deliveriesQuery = (webhookId: string) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', webhookId],
    queryFn: ({ pageParam, signal }) => api.webhooks.deliveries(webhookId, pageOf(50, pageParam), { signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ nextCursor }: DeliveryPage) => nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.deliveries.some(({ status }) => status === 'pending') ? 2000 : false,
  })

export const eventsQuery = (projectId: string, type: EventType | undefined) =>
  infiniteQueryOptions({
    queryKey: [...settingsKey(projectId), 'events', type],
    queryFn: ({ pageParam, signal }) =>
      api.events.page(projectId, { ...pageOf(100, pageParam), ...(type && { type }) }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ nextCursor }: EventPage) => nextCursor,
  })

/** The audit log of a project, or of the whole server if `projectId` is undefined. */
export const auditQuery = (projectId: string | undefined, action: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['audit', projectId, action],
    queryFn: ({ pageParam, signal }) =>
      api.audit(
        { ...pageOf(100, pageParam), ...(projectId && { project_id: projectId }), ...(action && { action }) },
        { signal },
      ),
    initialPageParam: firstPage,
    getNextPageParam: ({ nextCursor }: AuditPage) => nextCursor,
  })

export const budgetsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...settingsKey(projectId), 'budgets'],
    queryFn: ({ signal }) => api.budgets.list({ project_id: projectId }, { signal }),
  })

/** Usage of a project, or of all projects if `projectId` is undefined. `from` is the first day of the period. */
export const usageQuery = (projectId: string | undefined, group: string, from: string) =>
  queryOptions({
    queryKey: ['usage', projectId, group, from],
    queryFn: ({ signal }) =>
      api.usage(
        { group_by: group, start_date: from, ...(projectId && { project_id: projectId }) },
        { signal },
      ),
  })
