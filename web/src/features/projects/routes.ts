import { createRoute } from '@tanstack/react-router'
import { projectRoute, signedInRoute } from '../../app/routes.ts'
import { oneOf } from '../../app/search-params.ts'

export const homeRoute = createRoute({ getParentRoute: () => signedInRoute, path: '/' }).lazy(() =>
  import('./projects-page.tsx').then(({ ProjectsPage }) => ProjectsPage),
)

/** What the overview of a project looks back at; the first without a choice. */
export const overviewPeriods = ['24h', '7d'] as const

export const projectHomeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  validateSearch: (search): { period?: (typeof overviewPeriods)[number] | undefined } => ({
    period: oneOf(overviewPeriods, search.period),
  }),
}).lazy(() => import('./project-home.tsx').then(({ ProjectHomePage }) => ProjectHomePage))
