import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FilterValues } from '../../shared/filters/filters.ts'
import { useReadMore } from '../../shared/use-read-more.ts'
import { readTail, tracesQuery } from './queries.ts'
import type { TraceOrder } from './search.ts'

const tailMs = 2000

/**
 * The traces of a view as one list. It grows at its end when scrolled, and at its top while it is live, which needs the
 * default order.
 */
export function useTraces(projectId: string, view: FilterValues, order: TraceOrder, live: boolean) {
  const queryClient = useQueryClient()
  const list = useInfiniteQuery({
    ...tracesQuery(projectId, view, order),
    // The previous rows stay until the next search has responded, unless they belong to another project.
    placeholderData: (before, query) => (query?.queryKey[1] === projectId ? before : undefined),
  })
  const { data, isPlaceholderData } = list
  const tail = useQuery({
    queryKey: ['traces', projectId, 'tail', view],
    queryFn: ({ signal }) => readTail(queryClient, projectId, view, signal),
    enabled: live && data !== undefined && !isPlaceholderData,
    refetchInterval: tailMs,
    staleTime: 0,
  })
  const rows = useMemo(() => data?.pages.flatMap(({ traces }) => traces), [data])
  const readMore = useReadMore(list)
  const refresh = () =>
    queryClient.resetQueries({ queryKey: tracesQuery(projectId, view, order).queryKey, exact: true })
  return { ...list, rows, readMore, refresh, tailError: live ? tail.error : null }
}
