export { answeringRoutes } from './routes.ts'
export { internalAnsweringRoutes } from './routes-internal.ts'
export { AnsweringService } from './service.ts'
export { createTurnStore } from './store.ts'
