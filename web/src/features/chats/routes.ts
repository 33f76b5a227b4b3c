import { createRoute, redirect } from '@tanstack/react-router'
import { chatRoute, projectRoute } from '../../shared/routes.ts'

export const chatRoutes = [
  createRoute({ getParentRoute: () => projectRoute, path: 'chats' }).lazy(() =>
    import('./chats-page.tsx').then(({ ChatsPage }) => ChatsPage),
  ),
] as const

/** The page around the tabs of a chat. */
export const chatPageRoute = chatRoute.lazy(() => import('./chat-page.tsx').then(({ ChatPage }) => ChatPage))

/** The tabs of a chat that this feature has; its files and its playground are features of their own. */
export const chatTabRoutes = [
  createRoute({
    getParentRoute: () => chatRoute,
    path: '/',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/projects/$projectId/chats/$chatId/playground', params, replace: true })
    },
  }),
  createRoute({ getParentRoute: () => chatRoute, path: 'settings' }).lazy(() =>
    import('./settings-page.tsx').then(({ SettingsPage }) => SettingsPage),
  ),
  createRoute({ getParentRoute: () => chatRoute, path: 'scopes' }).lazy(() =>
    import('./scopes-page.tsx').then(({ ScopesPage }) => ScopesPage),
  ),
  createRoute({ getParentRoute: () => chatRoute, path: 'api' }).lazy(() =>
    import('./api-page.tsx').then(({ ApiPage }) => ApiPage),
  ),
] as const
