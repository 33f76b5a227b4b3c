export { versionRoutes } from './routes.ts'
export { VersionService } from './service.ts'
export { createVersionStore, versionDeletion } from './store.ts'
