import { createRoute } from '@tanstack/react-router'
import { chatRoute } from '../../shared/routes.ts'
import { textOf } from '../../shared/search-params.ts'
import { type OpenDocument, openDocument } from '../documents/index.ts'

interface PlaygroundSearch extends OpenDocument {
  session?: string | undefined
  /** A question to begin with. */
  question?: string | undefined
}

export const playgroundRoutes = [
  createRoute({
    getParentRoute: () => chatRoute,
    path: 'playground',
    validateSearch: (search): PlaygroundSearch => ({
      session: textOf(search.session),
      question: textOf(search.question),
      ...openDocument(search),
    }),
  }).lazy(() => import('./playground-page.tsx').then(({ PlaygroundPage }) => PlaygroundPage)),
] as const
