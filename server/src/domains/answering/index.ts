export { answeringRoutes } from './routes.ts'
export { AnsweringService } from './service.ts'
