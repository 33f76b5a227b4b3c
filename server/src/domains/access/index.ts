export { accessRoutes } from './routes.ts'
export { AccessService } from './service.ts'
export { createAccessStore } from './store.ts'
