export { graphRoutes } from './routes.ts'
export { GraphService } from './service.ts'
export { createGraphStore } from './store.ts'
