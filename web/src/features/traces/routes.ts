import { createRoute } from '@tanstack/react-router'
import { viewOf } from '../../shared/filters/view.ts'
import { projectRoute } from '../../shared/routes.ts'
import { traceQuery, tracesQuery } from './queries.ts'
import { orderOf, parseTracePageSearch, parseTraceSearch } from './search.ts'

export const traceRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'traces',
    validateSearch: parseTraceSearch,
    // Data and code of the screen load in parallel.
    loader: ({ context: { queryClient }, params: { projectId }, location: { search } }) => {
      void queryClient.prefetchInfiniteQuery(tracesQuery(projectId, viewOf(search), orderOf(search)))
    },
  }).lazy(() => import('./traces-page.tsx').then(({ TracesPage }) => TracesPage)),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'traces/$traceId',
    validateSearch: parseTracePageSearch,
    loader: ({ context: { queryClient }, params: { projectId, traceId } }) => {
      void queryClient.prefetchQuery(traceQuery(projectId, traceId))
    },
  }).lazy(() => import('./trace-page.tsx').then(({ TracePage }) => TracePage)),
] as const
