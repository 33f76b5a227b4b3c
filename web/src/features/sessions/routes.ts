import { createRoute } from '@tanstack/react-router'
import { projectRoute } from '../../shared/routes.ts'
import { textOf } from '../../shared/search-params.ts'
import { parseTraceSearch } from '../traces/index.ts'

export interface SessionSearch {
  trace?: string | undefined
  span?: string | undefined
}

export const sessionRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'sessions',
    validateSearch: parseTraceSearch,
  }).lazy(() => import('./sessions-page.tsx').then(({ SessionsPage }) => SessionsPage)),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'sessions/$sessionId',
    validateSearch: (search): SessionSearch => ({ trace: textOf(search.trace), span: textOf(search.span) }),
  }).lazy(() => import('./session-page.tsx').then(({ SessionPage }) => SessionPage)),
] as const
