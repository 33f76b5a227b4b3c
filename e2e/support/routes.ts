import type { Route } from './route.ts'
import { appRoutes } from './routes-apps.ts'
import { chatRoutes } from './routes-chats.ts'
import { consoleRoutes } from './routes-console.ts'
import { creditRoutes } from './routes-credits.ts'
import { eventRoutes } from './routes-events.ts'
import { internalRoutes } from './routes-internal.ts'
import { otlpRoutes } from './routes-otlp.ts'
import { scorerRoutes } from './routes-scorers.ts'
import { testingRoutes } from './routes-testing.ts'
import { traceRoutes } from './routes-traces.ts'
import { versionRoutes } from './routes-versions.ts'

export const routes: readonly Route[] = [
  { method: 'GET', path: '/v1/health', credential: 'none', status: 200 },
  { method: 'GET', path: '/v1/ready', credential: 'none', status: 200 },
  ...consoleRoutes,
  ...creditRoutes,
  ...eventRoutes,
  ...traceRoutes,
  ...otlpRoutes,
  ...scorerRoutes,
  ...versionRoutes,
  ...chatRoutes,
  ...testingRoutes,
  ...internalRoutes,
  ...appRoutes,
]

export function routeName({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`
}

/** The routes that take a JSON body. */
export const jsonRoutes = routes.filter((route) => route.body !== undefined)

/** Whether errors of the route have the body of the project API, or of OpenTelemetry. */
export function isProjectRoute(route: Route): boolean | 'status' {
  return route.isOfKey ? 'status' : route.credential === 'project-key'
}
