import { createRoute } from '@tanstack/react-router'
import { projectRoute, signedInRoute } from '../../app/routes.ts'

export const homeRoute = createRoute({ getParentRoute: () => signedInRoute, path: '/' }).lazy(() =>
  import('./projects-page.tsx').then(({ ProjectsPage }) => ProjectsPage),
)

export const projectHomeRoute = createRoute({ getParentRoute: () => projectRoute, path: '/' }).lazy(() =>
  import('./project-home.tsx').then(({ ProjectHomePage }) => ProjectHomePage),
)
