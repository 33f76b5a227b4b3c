import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import { sessionQuery } from './session.ts'

/*
 * The routes above the pages of features. They name no component, since features must not import the app. app/router.tsx sets
 * the components of the frame; chats/routes.ts sets the page around the tabs of a chat.
 */

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()()

/** Everything that needs a signed-in browser. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session.signed_in) return
    throw redirect({ to: '/sign-in', search: { next: location.href === '/' ? undefined : location.href } })
  },
})

/** Everything that belongs to one project. */
export const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'projects/$projectId',
})

/** Everything that belongs to one chat. */
export const chatRoute = createRoute({ getParentRoute: () => projectRoute, path: 'chats/$chatId' })
