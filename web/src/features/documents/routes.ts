import { createRoute } from '@tanstack/react-router'
import { chatRoute } from '../../shared/routes.ts'
import { textOf } from '../../shared/search-params.ts'
import { type OpenDocument, openDocument } from './open-document.ts'

export const fileRoutes = [
  createRoute({
    getParentRoute: () => chatRoute,
    path: 'files',
    validateSearch: (search): OpenDocument & { q?: string | undefined } => ({
      q: textOf(search.q),
      ...openDocument(search),
    }),
  }).lazy(() => import('./files-page.tsx').then(({ FilesPage }) => FilesPage)),
] as const
