/* Sessions: traces with the same session id. */

export { sessionRoutes } from './routes.ts'
export { SessionService } from './service.ts'
export { createSessionStore } from './store.ts'
