export { AuditLog } from './audit-log.tsx'
export { Usage } from './usage.tsx'
