import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from '../../shared/routes.ts'
import { textOf } from '../../shared/search-params.ts'

interface ServerSearch {
  action?: string | undefined
  open?: string | undefined
  group?: string | undefined
  days?: string | undefined
}

const serverRoute = createRoute({ getParentRoute: () => signedInRoute, path: 'server' }).lazy(() =>
  import('./server-page.tsx').then(({ ServerPage }) => ServerPage),
)

const sectionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'server/$section',
  validateSearch: (search): ServerSearch => ({
    action: textOf(search.action),
    open: textOf(search.open),
    group: textOf(search.group),
    days: textOf(search.days),
  }),
}).lazy(() => import('./section-page.tsx').then(({ ServerSectionPage }) => ServerSectionPage))

export const serverRoutes = [serverRoute, sectionRoute] as const
