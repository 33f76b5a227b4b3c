export { answeringRoutes } from './routes.ts'
export { AnsweringService } from './service.ts'
export { createTurnStore } from './store.ts'
