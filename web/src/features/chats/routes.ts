import { createRoute, redirect } from '@tanstack/react-router'
import { projectRoute } from '../../shared/routes.ts'
import { textOf } from '../../shared/search-params.ts'

const chatsRoute = createRoute({ getParentRoute: () => projectRoute, path: 'chats' }).lazy(() =>
  import('./chats-page.tsx').then(({ ChatsPage }) => ChatsPage),
)

/** One chat; its tabs hang below it, each with an address of its own. */
const chatRoute = createRoute({ getParentRoute: () => projectRoute, path: 'chats/$chatId' }).lazy(() =>
  import('./chat-page.tsx').then(({ ChatPage }) => ChatPage),
)

const chatIndexRoute = createRoute({
  getParentRoute: () => chatRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$projectId/chats/$chatId/playground', params, replace: true })
  },
})

/** A document that is open beside the screen: `at` is the range of characters in the chunk that is lit, `12-80`. */
interface OpenDocument {
  file?: string | undefined
  chunk?: string | undefined
  at?: string | undefined
}

function openDocument(search: Record<string, unknown>): OpenDocument {
  return { file: textOf(search.file), chunk: textOf(search.chunk), at: textOf(search.at) }
}

const playgroundRoute = createRoute({
  getParentRoute: () => chatRoute,
  path: 'playground',
  validateSearch: (
    search,
  ): OpenDocument & { session?: string | undefined; question?: string | undefined } => ({
    session: textOf(search.session),
    question: textOf(search.question),
    ...openDocument(search),
  }),
}).lazy(() => import('../playground/playground-page.tsx').then(({ PlaygroundPage }) => PlaygroundPage))

const filesRoute = createRoute({
  getParentRoute: () => chatRoute,
  path: 'files',
  validateSearch: (search): OpenDocument & { q?: string | undefined } => ({
    q: textOf(search.q),
    ...openDocument(search),
  }),
}).lazy(() => import('../documents/files-page.tsx').then(({ FilesPage }) => FilesPage))

const settingsRoute = createRoute({ getParentRoute: () => chatRoute, path: 'settings' }).lazy(() =>
  import('./settings-page.tsx').then(({ SettingsPage }) => SettingsPage),
)

const scopesRoute = createRoute({ getParentRoute: () => chatRoute, path: 'scopes' }).lazy(() =>
  import('./scopes-page.tsx').then(({ ScopesPage }) => ScopesPage),
)

const apiRoute = createRoute({ getParentRoute: () => chatRoute, path: 'api' }).lazy(() =>
  import('./api-page.tsx').then(({ ApiPage }) => ApiPage),
)

export const chatRoutes = [
  chatsRoute,
  chatRoute.addChildren([chatIndexRoute, playgroundRoute, filesRoute, settingsRoute, scopesRoute, apiRoute]),
] as const
