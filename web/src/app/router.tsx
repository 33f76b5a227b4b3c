import { createRoute, createRouter } from '@tanstack/react-router'
import { analyticsRoutes } from '../features/analytics/routes.ts'
import { appRoutes } from '../features/apps/routes.ts'
import { chatPageRoute, chatRoutes, chatTabRoutes } from '../features/chats/routes.ts'
import { fileRoutes } from '../features/documents/routes.ts'
import { graphRoutes } from '../features/graph/routes.ts'
import { playgroundRoutes } from '../features/playground/routes.ts'
import { homeRoute, projectHomeRoute } from '../features/projects/routes.ts'
import { scoreRoutes } from '../features/scores/routes.ts'
import { serverRoutes } from '../features/server/routes.ts'
import { sessionRoutes } from '../features/sessions/routes.ts'
import { settingsRoutes } from '../features/settings/routes.ts'
import { testRoutes } from '../features/tests/routes.ts'
import { traceRoutes } from '../features/traces/routes.ts'
import { versionRoutes } from '../features/versions/routes.ts'
import { NotFound, PageFailure } from '../shared/failures.tsx'
import { queryClient } from '../shared/query-client.ts'
import { projectRoute, rootRoute, signedInRoute } from '../shared/routes.ts'
import { parseSearch, stringifySearch, textOf } from '../shared/search-params.ts'
import { RootFailure, Shell } from './shell.tsx'

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: (search) => ({ next: textOf(search.next) }),
}).lazy(() => import('./sign-in.tsx').then(({ SignInPage }) => SignInPage))

rootRoute.update({ errorComponent: RootFailure })
signedInRoute.update({ component: Shell })

const routeTree = rootRoute.addChildren([
  signInRoute,
  signedInRoute.addChildren([
    homeRoute,
    ...serverRoutes,
    projectRoute.addChildren([
      projectHomeRoute,
      ...traceRoutes,
      ...sessionRoutes,
      ...scoreRoutes,
      ...analyticsRoutes,
      ...testRoutes,
      ...versionRoutes,
      ...chatRoutes,
      chatPageRoute.addChildren([...chatTabRoutes, ...fileRoutes, ...playgroundRoutes]),
      ...graphRoutes,
      ...appRoutes,
      ...settingsRoutes,
    ]),
  ]),
])

/** All routes of the dashboard. A feature adds its routes here, and its sidebar entry in `navigation.ts`. */
export const router = createRouter({
  routeTree,
  context: { queryClient },
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: NotFound,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
