import { createRoute } from '@tanstack/react-router'
import { projectRoute } from '../../shared/routes.ts'
import { oneOf } from '../../shared/search-params.ts'
import { appTabs } from './app-tabs.ts'

export const appRoutes = [
  createRoute({ getParentRoute: () => projectRoute, path: 'apps' }).lazy(() =>
    import('./apps-page.tsx').then(({ AppsPage }) => AppsPage),
  ),
  createRoute({ getParentRoute: () => projectRoute, path: 'apps/register' }).lazy(() =>
    import('./register-page.tsx').then(({ RegisterPage }) => RegisterPage),
  ),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'apps/$appId',
    validateSearch: (search): { tab?: (typeof appTabs)[number] | undefined } => ({
      tab: oneOf(appTabs, search.tab),
    }),
  }).lazy(() => import('./app-page.tsx').then(({ AppPage }) => AppPage)),
]
