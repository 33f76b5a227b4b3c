import { createRoute } from '@tanstack/react-router'
import { projectRoute } from '../../shared/routes.ts'
import { parseScoreSearch } from './search.ts'

export const scoreRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'scores',
    validateSearch: parseScoreSearch,
  }).lazy(() => import('./scores-page.tsx').then(({ ScoresPage }) => ScoresPage)),
] as const
