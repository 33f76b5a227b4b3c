import { createRoute } from '@tanstack/react-router'
import { projectRoute } from '../../shared/routes.ts'
import { graphSearch } from './search.ts'

export const graphRoutes = [
  createRoute({ getParentRoute: () => projectRoute, path: 'graph', validateSearch: graphSearch }).lazy(() =>
    import('./graph-page.tsx').then(({ GraphPage }) => GraphPage),
  ),
]
