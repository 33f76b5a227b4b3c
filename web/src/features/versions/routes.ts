import { createRoute } from '@tanstack/react-router'
import { projectRoute } from '../../shared/routes.ts'
import { oneOf, textOf } from '../../shared/search-params.ts'

const versionsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'versions',
  validateSearch: (search) => ({ tab: oneOf(['history'], search.tab) }),
}).lazy(() => import('./versions-page.tsx').then(({ VersionsPage }) => VersionsPage))

const compareRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'versions/compare',
  validateSearch: (search) => ({ a: textOf(search.a), b: textOf(search.b) }),
}).lazy(() => import('./compare-page.tsx').then(({ ComparePage }) => ComparePage))

const versionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'versions/$versionId',
}).lazy(() => import('./version-page.tsx').then(({ VersionPage }) => VersionPage))

export const versionRoutes = [versionsRoute, compareRoute, versionRoute] as const
