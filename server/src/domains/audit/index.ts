export { auditRoutes } from './routes.ts'
export { AuditService } from './service.ts'
export { createAuditStore } from './store.ts'
