import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import { textOf } from './search-params.ts'
import { sessionQuery } from './session.ts'
import { RootFailure, Shell } from '../app/shell.tsx'

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  errorComponent: RootFailure,
})

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: (search) => ({ next: textOf(search.next) }),
}).lazy(() => import('../app/sign-in.tsx').then(({ SignInPage }) => SignInPage))

/** All that needs a signed-in browser. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session.signed_in) return
    throw redirect({ to: '/sign-in', search: { next: location.href === '/' ? undefined : location.href } })
  },
})

/** All that belongs to one project; its pages hang below it. */
export const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'projects/$projectId',
})
