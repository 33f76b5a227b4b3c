import { createRoute } from '@tanstack/react-router'
import { projectRoute } from '../../shared/routes.ts'
import { analyticsSearch } from './search.ts'

const analyticsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'analytics',
  validateSearch: analyticsSearch,
}).lazy(() => import('./analytics-page.tsx').then(({ AnalyticsPage }) => AnalyticsPage))

export const analyticsRoutes = [analyticsRoute] as const
