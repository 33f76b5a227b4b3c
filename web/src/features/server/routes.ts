import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from '../../app/routes.ts'

const serverRoute = createRoute({ getParentRoute: () => signedInRoute, path: 'server' }).lazy(() =>
  import('./server-page.tsx').then(({ ServerPage }) => ServerPage),
)

export const serverRoutes = [serverRoute] as const
