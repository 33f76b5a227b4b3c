export { versionRoutes } from './routes.ts'
export { VersionService } from './service.ts'
export { createVersionStore } from './store.ts'
