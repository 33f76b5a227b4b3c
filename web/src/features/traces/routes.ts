import { createRoute } from '@tanstack/react-router'
import { projectRoute } from '../../app/routes.ts'
import { textOf } from '../../app/search-params.ts'
import { parseTraceSearch } from './search.ts'

export const traceRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'traces',
    validateSearch: parseTraceSearch,
  }).lazy(() => import('./traces-page.tsx').then(({ TracesPage }) => TracesPage)),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'traces/$traceId',
    validateSearch: (search): { span?: string | undefined } => ({ span: textOf(search.span) }),
  }).lazy(() => import('./trace-page.tsx').then(({ TracePage }) => TracePage)),
] as const
