import type { TracePreview, TracePreviewPage } from '@cairn/sdk'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import type { FilterValues } from '../../shared/filters/filters.ts'
import { toQuery } from '../../shared/filters/view.ts'
import { orderOf, type TraceOrder } from './search.ts'

const pageSize = 100

/**
 * Traces of a view, by default newest first, page by page. They are never refetched automatically, since that would load every page
 * again. New traces come by the live tail, by a refresh, or after a minute on another screen.
 */
export function tracesQuery(projectId: string, view: FilterValues, order: TraceOrder = {}) {
  return infiniteQueryOptions({
    queryKey: ['traces', projectId, 'list', view, order],
    queryFn: ({ pageParam, signal }) =>
      client.traces.previewPage(
        projectId,
        { ...toQuery(view), ...orderOf(order), limit: pageSize, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
}

export function traceQuery(projectId: string, traceId: string) {
  return queryOptions({
    queryKey: ['traces', projectId, 'one', traceId],
    queryFn: ({ signal }) => client.traces.get(projectId, traceId, { signal }),
  })
}

type Pages = InfiniteData<TracePreviewPage, string>
const tailPages = 10

/** Loads traces newer than the list and prepends them; returns their number. After too many, it resets the list. */
export async function readTail(
  queryClient: QueryClient,
  projectId: string,
  view: FilterValues,
  signal: AbortSignal,
): Promise<number> {
  const { queryKey } = tracesQuery(projectId, view)
  const known = new Set(
    queryClient.getQueryData<Pages>(queryKey)?.pages[0]?.traces.map(({ trace_id }) => trace_id),
  )
  const fresh: TracePreview[] = []
  let cursor: string | undefined
  for (let turn = 0; turn < tailPages; turn++) {
    const query = { ...toQuery(view), limit: pageSize, ...(cursor && { cursor }) }
    const page = await client.traces.previewPage(projectId, query, { signal })
    const news = page.traces.filter(({ trace_id }) => !known.has(trace_id))
    fresh.push(...news)
    cursor = page.nextCursor
    if (news.length < page.traces.length || !cursor) {
      prepend(queryClient, queryKey, fresh)
      return fresh.length
    }
  }
  await queryClient.resetQueries({ queryKey, exact: true })
  return fresh.length
}

function prepend(
  queryClient: QueryClient,
  queryKey: readonly unknown[],
  fresh: readonly TracePreview[],
): void {
  if (fresh.length === 0) return
  queryClient.setQueryData<Pages>(queryKey, (list) => {
    const [first, ...rest] = list?.pages ?? []
    if (!list || !first) return list
    return { ...list, pages: [{ ...first, traces: [...fresh, ...first.traces] }, ...rest] }
  })
}

/** Removes deleted traces from every list. */
export function forgetTraces(queryClient: QueryClient, projectId: string, traceIds: readonly string[]): void {
  const gone = new Set(traceIds)
  for (const traceId of gone) queryClient.removeQueries(traceQuery(projectId, traceId))
  changeLists(queryClient, projectId, (traces) => traces.filter(({ trace_id }) => !gone.has(trace_id)))
}

/** Shows the changed tags of traces in every list. */
export function showTags(
  queryClient: QueryClient,
  projectId: string,
  traceIds: readonly string[],
  tagsOf: (tags: readonly string[]) => string[],
): void {
  const changed = new Set(traceIds)
  for (const traceId of changed) void queryClient.invalidateQueries(traceQuery(projectId, traceId))
  changeLists(queryClient, projectId, (traces) =>
    traces.map((trace) => (changed.has(trace.trace_id) ? { ...trace, tags: tagsOf(trace.tags) } : trace)),
  )
}

function changeLists(
  queryClient: QueryClient,
  projectId: string,
  change: (traces: TracePreview[]) => TracePreview[],
): void {
  queryClient.setQueriesData<Pages>(
    { queryKey: ['traces', projectId, 'list'] },
    (list) =>
      list && { ...list, pages: list.pages.map((page) => ({ ...page, traces: change(page.traces) })) },
  )
}
