import { createRoute } from '@tanstack/react-router'
import { projectsQuery } from '../../shared/queries/projects.ts'
import { projectRoute, signedInRoute } from '../../shared/routes.ts'
import { oneOf } from '../../shared/search-params.ts'
import { overviewPeriods } from './overview-periods.ts'

export const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(projectsQuery)
  },
}).lazy(() => import('./projects-page.tsx').then(({ ProjectsPage }) => ProjectsPage))

export const projectHomeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  validateSearch: (search): { period?: (typeof overviewPeriods)[number] | undefined } => ({
    period: oneOf(overviewPeriods, search.period),
  }),
}).lazy(() => import('./project-home.tsx').then(({ ProjectHomePage }) => ProjectHomePage))
